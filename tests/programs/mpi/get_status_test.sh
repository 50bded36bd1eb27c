#!/bin/bash
# MPI_Request_get_status on receives and sends, short and long, persistent or not, with every way to complete one.
. "$(dirname "$0")/../../lib.sh"
build get_status
for machine in t3d smp now rdma; do passes "$machine" 2 get_status; done
finish
