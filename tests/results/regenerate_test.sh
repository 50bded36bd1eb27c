#!/bin/bash
# results/regenerate --check, in a made-up folder of results.
. "$(dirname "$0")/../lib.sh"
results=$work/house/results
mkdir -p "$results/made" "$work/house/tests" "$work/bin"
for shared in apps include platforms; do ln -s "$(realpath "$tests/../$shared")" "$work/house/$shared"; done
ln -s "$(realpath "$tests/near")" "$work/house/tests/near"
cp "$tests/../results/regenerate" "$results/regenerate"
printf '#!/bin/sh\nprintf "a,b\\n1,2\\n" >made/data.csv\n' >"$results/made/run"
chmod +x "$results/made/run"
printf 'a,b\n1,2\n' >"$results/made/data.csv"
regenerate() { SIDEWINDER=$sidewinder "$results/regenerate" --check made >"$work/said" 2>"$work/err"; }
says "a table that is made again as it is passes" regenerate

# tar's exit code is 1 where another process creates or removes a file in a folder that it reads.
printf '#!/bin/sh\n%s "$@" || exit\ncase $1 in -c) exit 1 ;; esac\n' "$(command -v tar)" >"$work/bin/tar"
chmod +x "$work/bin/tar"
PATH=$work/bin:$PATH
says "and so it does while other files there change" regenerate
printf '#!/bin/sh\nexit 2\n' >"$work/bin/tar"
says "a copy that fails is a failure" eval '! regenerate'
rm "$work/bin/tar"
printf 'a,b\n1,3\n' >"$results/made/data.csv"
says "a table that differs is reported" eval '! regenerate && grep -q "made/data.csv would change" "$work/said"'
finish
