#!/bin/bash
# Predefined datatypes of C, C++ and Fortran have the size of their elements.
. "$(dirname "$0")/../../lib.sh"
build basic_types
for machine in t3d smp; do passes "$machine" 2 basic_types; done
finish
