#!/bin/bash
# An installed tree works wherever it lies: everything is found relative to bin/sidewinder. Also when it is moved
# afterwards, from another directory and through a symbolic link.
set -u
sidewinder=$(realpath "$SIDEWINDER")
build=$(dirname "$(dirname "$sidewinder")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

says() {   # says SENTENCE COMMAND...: the command decides whether the sentence is true
    local sentence=$1
    shift
    if "$@" >"$work/out" 2>"$work/err"; then
        echo "ok: $sentence"
    else
        echo "FAILED: $sentence: $*"
        sed 's/^/    /' "$work/out" "$work/err"
        failures=$((failures + 1))
    fi
}

cat >"$work/hello.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    int mine = 42 + rank;
    if (rank == 0) MPI_Put(&mine, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    printf("rank %d has %d\n", rank, value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
END

cat >"$work/hello.f" <<'END'
      INCLUDE 'mpif.h'
      INTEGER RANK, VALUE, IERR
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      VALUE = 42
      IF (RANK .EQ. 0) CALL MPI_PUT(VALUE, 1, MPI_INTEGER, 1, 0, 1,
     &                      MPI_INTEGER, 1, MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) CALL MPI_ACCEPT(VALUE, 0, 1, 1, MPI_COMM_WORLD,
     &                                 0, IERR)
      IF (RANK .EQ. 1) VALUE = 0
      IF (RANK .EQ. 1) CALL MPI_ACCEPT(VALUE, 4, 4, 1, MPI_COMM_WORLD,
     &                                 1, IERR)
      IF (RANK .EQ. 1) PRINT '(A,I0)', 'rank 1 has ', VALUE
      CALL MPI_FINALIZE(IERR)
      END
END

# works BIN SENTENCE: the sidewinder of that folder lists machines, compiles and runs.
works() {
    says "$2: machines are found" "$1/sidewinder" machines t3d
    says "$2: a program is compiled" "$1/sidewinder" cc -O2 -o "$work/hello" "$work/hello.c"
    says "$2: and runs" "$1/sidewinder" run -m t3d -n 2 "$work/hello"
    mv "$work/out" "$work/printed"
    says "$2: and prints what the put brought" grep -qx 'rank 1 has 42' "$work/printed"
    says "$2: so is one in Fortran, with a dialect" "$1/sidewinder" f77 --dialect put_accept -o "$work/hello" \
        "$work/hello.f"
    says "$2: and runs" "$1/sidewinder" run -m t3d -n 2 "$work/hello"
    mv "$work/out" "$work/printed"
    says "$2: and prints what the PUT brought" grep -qx 'rank 1 has 42' "$work/printed"
    rm -f "$work/hello"
}

says "the tree is installed" cmake --install "$build" --prefix "$work/first"
says "its headers stand in a folder of their own, where no other MPI is shadowed" \
    sh -c '[ "$(ls "$0/include")" = sidewinder ] && [ -e "$0/include/sidewinder/mpi.h" ]' "$work/first"
says "its manual pages, completions and licences are there" \
    sh -c 'for f in man/man1/sidewinder-run.1 man/man7/put_accept.7 bash-completion/completions/sidewinder \
        zsh/site-functions/_sidewinder doc/sidewinder/LICENSE doc/sidewinder/LICENSE.sw_plugin; do
        [ -s "$0/share/$f" ] || { echo "$f"; exit 1; }; done' "$work/first"
says "pkg-config finds its headers, wherever it lies" \
    sh -c 'flags=$(PKG_CONFIG_PATH=$0/lib/pkgconfig pkg-config --cflags sidewinder) &&
        [ -e "$(realpath "${flags#-I}" | sed "s/ *$//")/mpi.h" ]' "$work/first"
says "a second one is installed" cmake --install "$build" --prefix "$work/second"
says "and uninstalled" cmake -D BUILD="$build" -P "$(dirname "$0")/../../install/uninstall.cmake"
says "no file and no folder of its own is left" \
    sh -c '! find "$0" -not -type d -o -name sidewinder | grep .' "$work/second"
mv "$work/first" "$work/moved"
cd "$work" || exit 2
says "nothing in it refers to the build tree's libraries" \
    sh -c '! readelf -d moved/bin/sidewinder moved/lib/libsidewinder.so moved/libexec/sidewinder/sidewinder-sim |
        grep -F "$0"' "$build"
says "it loads nothing of ns-3, with which SimGrid may be linked and which takes longer to load than all else" \
    sh -c '! LD_TRACE_LOADED_OBJECTS=1 moved/libexec/sidewinder/sidewinder-sim | grep "libns3.*=>" | grep -v /moved/'
works "$work/moved/bin" "installed and moved"
mkdir links
ln -s ../moved/bin/sidewinder links/sidewinder
works links "through a symbolic link"
echo "$failures failed"
exit $((failures > 0))
