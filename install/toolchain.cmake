# CMake projects for Sidewinder:   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/share/sidewinder/toolchain.cmake ...
# find_package(MPI) adds nothing, since the compiler is an MPI compiler, and CTest starts programs with
# `sidewinder mpirun` on the machine of SIDEWINDER_MACHINE.
get_filename_component(sidewinder ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(mpi ${sidewinder}/share/sidewinder/mpi)
set(CMAKE_C_COMPILER ${mpi}/mpicc)
set(CMAKE_CXX_COMPILER ${mpi}/mpicxx)
set(CMAKE_Fortran_COMPILER ${mpi}/mpif90)
set(MPIEXEC_EXECUTABLE ${mpi}/mpiexec CACHE FILEPATH "starts MPI programs")
