#!/bin/sh
# The inspector: walks the house and names every offender. Usage: house.sh ROOT [OBJECTS]; OBJECTS: lines "room
# object-file".
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
root=${1:?usage: house.sh ROOT [OBJECTS]}
objects=${2:-}
. "$here/rules.sh"

offenders=0
for rule in $rules; do
    found=$($rule 2>&1)
    [ -z "$found" ] && continue
    echo "$rule:"
    echo "$found" | sed 's/^/    /'
    offenders=$((offenders + $(echo "$found" | wc -l)))
done
not_checked
echo "$(echo $rules | wc -w) rules, $offenders offenders"
[ $offenders -eq 0 ]
