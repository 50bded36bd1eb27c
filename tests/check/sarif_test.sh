#!/bin/bash
# "SARIF that validates against its schema": the properties that the schema of SARIF 2.1.0 requires, and those that
# show a place. SARIF_SCHEMA: the file of the whole schema; if it is given, Debian's python3-jsonschema judges by it.
. "$(dirname "$0")/../lib.sh"
races=$tests/../apps/races
cd "$races" || exit 1
for name in two_writers late_sync; do
    "$sidewinder" cc -O1 -g $name.c -o "$work/$name" || wrong "$name is compiled"
done
cd "$work" || exit 1

# written NAME OPTION...: NAME.sarif
written() { "$sidewinder" check --forced 0 -n 4 -m rdma "${@:2}" --sarif "$1.sarif" "./$1" >/dev/null 2>err; }
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

# paths NAME: of every property of the file, the names of those it is in, and its value.
paths() {
    awk 'match($0, /^ *"[^"]*" : /) {
        key = substr($0, 1, RLENGTH - 3)
        depth = gsub(/ /, "", key) / 2
        gsub(/"/, "", key)
        at[depth] = key
        path = ""
        for (i = 1; i < depth; i++) if (i in at) path = path at[i] "."
        for (i in at) if (i + 0 > depth) delete at[i]
        value = substr($0, RSTART + RLENGTH)
        sub(/,$/, "", value)
        print path key, value
    }' "$1.sarif"
}
# The schema names the properties that an object may have ("additionalProperties": false), these among them. What is in
# a property bag is free.
cat >allowed <<'S'
$schema
runs
runs.results
runs.results.level
runs.results.locations
runs.results.locations.physicalLocation
runs.results.locations.physicalLocation.artifactLocation
runs.results.locations.physicalLocation.artifactLocation.uri
runs.results.locations.physicalLocation.region
runs.results.locations.physicalLocation.region.startLine
runs.results.message
runs.results.message.text
runs.results.properties
runs.results.relatedLocations
runs.results.relatedLocations.message
runs.results.relatedLocations.message.text
runs.results.relatedLocations.physicalLocation
runs.results.relatedLocations.physicalLocation.artifactLocation
runs.results.relatedLocations.physicalLocation.artifactLocation.uri
runs.results.relatedLocations.physicalLocation.region
runs.results.relatedLocations.physicalLocation.region.startLine
runs.results.ruleId
runs.results.ruleIndex
runs.tool
runs.tool.driver
runs.tool.driver.name
runs.tool.driver.rules
runs.tool.driver.rules.id
runs.tool.driver.version
version
S
# values NAME PATH: of that property, one a line.
values() { paths "$1" | awk -v path="$2" '$1 == path { sub(/^[^ ]* /, ""); print }'; }
# The rules of the proposals, in the same form.
cat >proposals.c <<'C'
#include <mpi.h>
#include <put_accept.h>
#include <shmalloc.h>
#include <type_register.h>
int main(int argc, char **argv)
{
    int rank, one = 1, *window;
    MPI_Datatype pair;
    MPI_Request request;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_register(pair, MPI_COMM_WORLD); /*r*/
    MPI_Type_free(&pair);                    /*r*/
    SHM_Shmalloc(&window, 64, MPI_COMM_WORLD, &comm);
    if (rank == 0) SHM_Put(&one, 1, MPI_INT, 0, 1, comm); /*s*/
    if (rank == 1) window[0] = 2;                         /*s*/
    MPI_Barrier(comm);
    if (rank == 0) {
        PA_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, 1, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 1, MPI_COMM_WORLD, 0);
    } else {
        PA_Iaccept(&one, 4, 4, 1, MPI_COMM_WORLD, 1, &request); /*p*/
        one = 3;                                                /*p*/
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g proposals.c -o proposals || wrong "proposals.c is compiled"
written proposals -n 2
"$sidewinder" run --check -m rdma -n 2 -q --json json ./proposals 2>err
for mark in r s p; do
    lines=$(grep -n "/\*$mark\*/" proposals.c | cut -d: -f1 | xargs)
    says "in the JSON file, the lines /*$mark*/ once" \
        [ "$(awk -f "$here/pairs.awk" json | grep -cx "error $lines")" -eq 1 ]
    for line in $lines; do
        says "in the SARIF file, line $line" has proposals "\"uri\":\"proposals.c\"},\"region\":{\"startLine\":$line}"
    done
done
for name in two_writers late_sync proposals; do
    says "$name: every property is one that the schema has" \
        [ -z "$(paths $name | grep -v '^runs.results.properties\.' | cut -d' ' -f1 | grep -vxFf allowed)" ]
    says "$name: every result has a message with a text" \
        [ "$(values $name runs.results.message.text | wc -l)" -eq "$(values $name runs.results.ruleId | wc -l)" ]
    says "$name: every level is one of the four" \
        [ -z "$(values $name runs.results.level | grep -vxE '"(none|note|warning|error)"')" ]
    says "$name: every line is a number from 1" \
        [ -z "$(paths $name | grep '\.startLine ' | grep -vE ' [1-9][0-9]*$')" ]
    says "$name: no rule is listed twice" [ -z "$(values $name runs.tool.driver.rules.id | sort | uniq -d)" ]
    says "$name: every index is of the rule that the result names" diff \
        <(values $name runs.results.ruleIndex | while read -r i; do
            values $name runs.tool.driver.rules.id | sed -n "$((i + 1))p"; done) <(values $name runs.results.ruleId)
done
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
if [ "${SARIF_SCHEMA:-}" ]; then
    cat >validate.py <<'P'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
for name in sys.argv[2:]:
    validator(schema).validate(json.load(open(name)))
P
    says "the whole schema accepts every file" /usr/bin/python3 validate.py "$SARIF_SCHEMA" ./*.sarif
    sed 's/"startLine" : [0-9]*/"startLine" : 0/' two_writers.sarif >wrong.sarif
    says "it does not accept a line 0" eval '! /usr/bin/python3 validate.py "$SARIF_SCHEMA" wrong.sarif 2>/dev/null'
fi
"$sidewinder" check -n 2 -m rdma --sarif no/such/folder.sarif ./fine >/dev/null 2>err
says "a file that cannot be written: exit code 1" [ $? -eq 1 ]
says "and a message" grep -q "no/such/folder" err
finish
