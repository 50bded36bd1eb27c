#!/bin/bash
# Attributes of communicators and datatypes: keys freed in use, callbacks that fail.
. "$(dirname "$0")/../../lib.sh"
build attributes
for machine in t3d smp now; do passes "$machine" 1 attributes; done
passes smp 3 attributes
finish
