#!/bin/bash
# Without rights ./bootstrap changes nothing and prints the line that an administrator has to run; what demo asks for is
# less than what test does.
. "$(dirname "$0")/../lib.sh"
top=$(realpath "$here/../..")
mkdir "$work/bin" "$work/tree"
for tool in bash env dirname uname getconf id gcc cat mkdir tail; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
cp "$top/bootstrap" "$work/tree"
chmod -R a+rX "$work"
chmod a+x "${TMPDIR:-/tmp}"
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
# asks COMMAND: what is printed where nothing but a shell and gcc is there
asks() {
    status=0
    "${nobody[@]}" env -i PATH="$work/bin" bash "$work/tree/bootstrap" "$1" >"$work/out" 2>&1 || status=$?
    sed -n "s/^    apt-get update && apt-get install -y --no-install-recommends //p" "$work/out" |
        tr " " "\n" >"$work/$1"
}
for command in demo build test; do
    asks $command
    says "$command without rights ends with 1" [ "$status" = 1 ]
    says "and prints an administrator's line" [ -s "$work/$command" ]
    says "and installs nothing" [ ! -e "$work/tree/build" ]
done
says "demo needs no tests, no figures, no Fortran" eval \
    '! grep -qE "cunit|gnuplot|gfortran|autoconf|pandoc|slurm|mandoc|valgrind" "$work/demo"'
says "demo needs nothing that build does not" eval '! grep -vxFf "$work/build" "$work/demo"'
says "build needs nothing that test does not" eval '! grep -vxFf "$work/test" "$work/build"'
says "every package of them is one of Debian's names" eval '! grep -vE "^[a-z0-9][a-z0-9.+-]+$" "$work/test"'
# Ctrl-C goes to the whole foreground group of a terminal. A configuration that takes long stands in for a real one.
mkdir "$work/slow"
printf '#!/bin/sh\ntouch "%s/slow/begun"\nexec sleep 60\n' "$work" >"$work/slow/cmake"
chmod +x "$work/slow/cmake"
PATH=$work/slow:$PATH setsid env --default-signal=INT bash "$work/tree/bootstrap" demo >"$work/dots" 2>&1 &
leader=$!
begun() { [ -e "$work/slow/begun" ]; }
over() { ! ps -o stat= -s "$leader" | grep -qv "^Z"; }   # a zombie is over
until_true begun
kill -INT -- -"$leader"
wait "$leader"
says "Ctrl-C ends bootstrap, and nothing of it goes on printing dots" until_true over
pkill -s "$leader"
finish
