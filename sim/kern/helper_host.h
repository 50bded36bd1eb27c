/* The host Sidewinder's own actors live on. SMPI takes whoever lives on a rank's host for a
 * neighbour of that rank: its collectives would wait for them. The written platform has this host
 * beside the nodes, without a route to them. */
#ifndef KERN_HELPER_HOST_H
#define KERN_HELPER_HOST_H

#define KERN_HELPER_HOST "sidewinder"

#endif
