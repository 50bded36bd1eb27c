# sidewinder blocks: what it shows of a described program, through all that happens to object files, and what it
# refuses.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "$1"; failed=1; }
has() { echo "$2" | grep -qF -- "$3" || fail "$1: no '$3' in:
$2"; }

cc -c -o dot.o "$here/dot.s" && cc -o dot dot.o || exit 1

out=$("$SIDEWINDER" blocks dot -m rdma) || fail "blocks fails"
has "a function has its file and line" "$out" 'dot (dot.c:10)'
has "a loop out of order is bound by its chain of adds" "$out" \
    'block 0: 4.00 cycles, a loop; bound by chain'
has "an operation has its line, class and operands" "$out" '12  fp_multiply f64    .2 .3'
out=$("$SIDEWINDER" blocks dot -m t3d dot) || fail "blocks of a function fails"
has "a pointer is advanced beside the load" "$out" '2     4           12  load f64           _ .1'
"$SIDEWINDER" blocks -m rdma --set cpu.latency.fp_add=9 dot | grep -q 'block 0: 9.00' || fail "--set changes no price"

ref=$("$SIDEWINDER" blocks dot -m smp)
same() { [ "$("$SIDEWINDER" blocks "$2" -m smp)" = "$ref" ] || fail "a description does not survive $1"; }
same "being an object" dot.o
cp dot stripped && strip stripped && same "strip" stripped
ld -r -o joined.o dot.o && same "ld -r" joined.o
cc -Wl,--gc-sections -o collected dot.o && same "--gc-sections" collected
ar rc libdot.a dot.o && cc -o archived -Wl,--whole-archive libdot.a -Wl,--no-whole-archive && same "ar" archived
cc -shared -o dot.so dot.o && same "being a shared library" dot.so

refused() {   # refused TEXT ARGUMENT...
    local text=$1 said
    shift
    said=$("$SIDEWINDER" blocks "$@" 2>&1) && fail "not refused: blocks $*"
    has "blocks $*" "$said" "$text"
}
echo 'int main(void) {return 0;}' >none.c && cc -o none none.c
refused "none has no descriptions of its blocks; compile it with 'sidewinder cc'" none -m t3d
refused "has no blocks of a function 'dott'; one that was put in line is part of its callers" dot -m t3d dott
refused "none.c: not a program or object file" none.c -m t3d
refused 'no machine given; use -m MACHINE' dot
refused 'unknown option --sett; did you mean --set?' dot -m t3d --sett cpu.issue=1
for option in -mt3d --machine=t3d '--machine t3d'; do # as everywhere
    [ "$("$SIDEWINDER" blocks dot $option dot)" = "$out" ] || fail "$option is not -m t3d"
done
sed 's/\.long   [0-9]*, end/.long   1, end/' "$here/dot.s" >old.s && cc -c -o old.o old.s
refused 'a description of another version; compile it again' old.o -m t3d
refused "--set cpu.issue=0: out of range; cpu.issue takes a whole number such as 4, from 1 to 16" dot -m t3d --set \
    cpu.issue=0
refused "--set cpu.window=1: a window of 1 operations cannot issue 2 a cycle" dot -m t3d --set cpu.window=1
refused "--set cpu.latency.fp_add=0: not a latency" dot -m t3d --set cpu.latency.fp_add=0
refused "--set cpu.latency.fp_add=: not a latency" dot -m t3d --set cpu.latency.fp_add=
refused "ports that no operation gets together" dot -m t3d --set cpu.ports.load=p0+p0
refused "neither operations nor cycles" dot -m t3d --set cpu.lower.sqrt=slow

# C++ has names of its own: a method, and instances of a template.
cat >named.cc <<'END'
namespace lab {
struct field { double at(int i) const; double u[4]; };
double field::at(int i) const { return u[i] * 2; }
template <typename T> T twice(T x) { return x + x; }
template int twice<int>(int);
}
extern "C" int plain(int x) { return x + 1; }
END
"$SIDEWINDER" c++ -O1 -c named.cc -o named.o || fail "named.cc is not compiled"
out=$("$SIDEWINDER" blocks named.o -m t3d)
has "a method has its name" "$out" 'lab::field::at(int) const (named.cc:3)'
has "a template's instance has its name" "$out" 'int lab::twice<int>(int) (named.cc:4)'
for one in lab::field::at 'lab::field::at(int) const' field::at at _ZNK3lab5field2atEi; do
    [ "$("$SIDEWINDER" blocks named.o -m t3d "$one" | grep -c '^[^ ]')" = 1 ] || fail "$one is not one function"
done
out=$("$SIDEWINDER" blocks named.o -m t3d twice) && has "a template's name is enough" "$out" 'int lab::twice<int>(int)'
refused "has no blocks of a function 'wice'" named.o -m t3d wice
exit $failed
