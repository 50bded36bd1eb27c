#!/bin/sh
# mpicc, mpicxx, mpic++, mpif77, mpif90, mpifort, mpirun and mpiexec by the names that harnesses look for: with this
# folder, PREFIX/share/sidewinder/mpi, in front of PATH. The machine of mpirun is that of SIDEWINDER_MACHINE.
sidewinder=$(dirname "$0")/../../../bin/sidewinder
case ${0##*/} in
mpicc) command=cc ;;
mpicxx | mpic++) command=c++ ;;
mpif77) command=f77 ;;
mpif90 | mpifort) command=f90 ;;
*) command=mpirun ;;
esac
exec "$sidewinder" $command "$@"
