#!/bin/bash
# "SARIF that validates against its schema": the properties that the schema of SARIF 2.1.0 requires, and those that
# show a place.
. "$(dirname "$0")/../lib.sh"
races=$tests/../apps/races
cd "$races" || exit 1
for name in two_writers late_sync; do
    "$sidewinder" cc -O1 -g $name.c -o "$work/$name" || wrong "$name is compiled"
done
cd "$work" || exit 1

# written NAME OPTION...: NAME.sarif
written() { "$sidewinder" check --forced 0 -n 4 -m rdma --sarif "$1.sarif" "${@:2}" "./$1" >/dev/null 2>err; }
# has NAME TEXT: the file, without blanks and ends of lines, has the text
has() { tr -d ' \n' <"$1.sarif" | grep -qF -- "$2"; }

written two_writers
line=$(grep -n '/\*1\*/' "$races/two_writers.c" | cut -d: -f1)
says "version is 2.1.0" has two_writers '"version":"2.1.0"'
says "it names the schema" has two_writers '"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/'
says "runs has one run, of a tool with a driver with a name" has two_writers \
    '"runs":[{"tool":{"driver":{"name":"Sidewinder"'
says "the driver has the rule" has two_writers '"rules":[{"id":"MPI-211.7rule2"}]'
says "the result names the rule, by its index too" has two_writers '{"ruleId":"MPI-211.7rule2","ruleIndex":0'
says "its level" has two_writers '"level":"error"'
says "its message has a text" has two_writers '"message":{"text":"rank'
place="\"artifactLocation\":{\"uri\":\"two_writers.c\"},\"region\":{\"startLine\":$line}"
says "a location is a file and a line" has two_writers "\"locations\":[{\"physicalLocation\":{$place}}]"
says "the other access is a related location" has two_writers '"relatedLocations":[{"physicalLocation"'
says "what it did on each machine is a property" has two_writers '"consequence":{"rdma":'
written late_sync
says "an error in the separate model only is a warning" has late_sync '"level":"warning"'
cat >fine.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc fine.c -o fine
written fine
says "without an error the results are empty" has fine '"results":[]'
"$sidewinder" check -n 2 -m rdma --sarif no/such/folder.sarif ./fine >/dev/null 2>err
says "a file that cannot be written: exit code 1" [ $? -eq 1 ]
says "and a message" grep -q "no/such/folder" err
finish
