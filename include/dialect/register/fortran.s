# Read before every Fortran file of `sidewinder f77 --dialect register`: MPI_TYPE_REGISTER and the others have no other
# names.
