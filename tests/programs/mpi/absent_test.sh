#!/bin/bash
# What SimGrid's MPI lacks is said: platforms/README.md, "What SimGrid's MPI lacks".
. "$(dirname "$0")/../../lib.sh"
# SimGrid 3 does not declare them; SimGrid 4 does, and ends the run.
for call in "MPI_Intercomm_create_from_groups(0, 0, 0, 0, 0, 0, 0, 0)"; do
    printf '#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    return %s;\n}\n' \
        "$call" >"$work/call.c"
    says "a program that uses ${call%%(*} does not compile, or the run ends with the line and the name" eval \
        'if "$sidewinder" cc -g "$work/call.c" -o "$work/call" 2>"$work/err"; then
            ! "$sidewinder" run -q -m now -n 1 "$work/call" 2>"$work/err" && grep -q "call.c:5" "$work/err"
        fi && grep -q "${call%%(*}" "$work/err"'
done
finish
