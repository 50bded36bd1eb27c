#!/bin/bash
# File names that people give: with spaces, quotes, line ends, letters that are not ASCII, in every locale; and what is
# no text at all.
. "$(dirname "$0")/../lib.sh"
build run/echo
cd "$work"
for name in 'a b,c' "it's" $'two\nlines' $'a\ttab' 'ä' '50%;[x]' '-x'; do
    shown=$(printf %q "$name")
    cp "$here/run/echo.c" "./$name.c"
    says "$shown is compiled" eval '"$sidewinder" cc -O2 -g -o "./$name" "./$name.c" >out 2>err'
    cp "$tests/../platforms/t3d.xml" "./$name.xml"
    status=0
    LC_ALL=C "$sidewinder" run -q -m "./$name.xml" -n 2 --json "./$name.json" --trace "./$name.trace" \
        --profile "./$name.prof" "./$name" "$name" >out 2>err || status=$?
    says "$shown runs, on a machine of that name, without a word" eval '[ $status = 0 ] &&
        [ "$(cat err)" = "this goes to standard error" ]'
    says "its report, trace and profile are read" eval '"$sidewinder" compare "./$name.json" >out &&
        "$sidewinder" trace "./$name.trace" >out && "$sidewinder" profile "./$name.prof" >out'
    mkdir "./$name.d"
    printf '%s\n' '[experiment]' title=Names 'source=../-x.c' 'machines=t3d' ranks=2 '[measure]' time=json:time_s \
        '[plot]' kind=bars x=machine y=time >"./$name.d/$name.ini"
    cp "$here/run/echo.c" ./-x.c
    says "an experiment $shown is swept and drawn" eval '"$sidewinder" sweep "./$name.d/$name.ini" &&
        "$sidewinder" plot "./$name.d/$name.ini"'
done
name=$'not\377text'
"$sidewinder" run -q -m t3d -n 1 --json json ./echo "$name" >out 2>err
says "an argument that is no text is passed on, and the report is text" eval 'grep -a -q "$name" out &&
    "$sidewinder" compare json >out'
cp echo "$name"
status=0
"$sidewinder" run -q -m t3d -n 2 "./$name" >out 2>err || status=$?
says "a program whose name is no text is refused by name" eval '[ $status = 1 ] &&
    grep -q "program .*/not.377text is not a name in UTF-8" err && [ "$(wc -l <err)" = 1 ]'
finish
