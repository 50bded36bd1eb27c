/* kern, inside: what an MPI message costs its two processors, given to SimGrid 4. Not a door. */
#ifndef KERN_COSTS_H
#define KERN_COSTS_H

#ifdef __cplusplus
extern "C" {
#endif
/* Seconds of a send to short_bytes, of a longer one, and of a receive. Before smpi_main. */
void kern_costs(double send_s, double long_send_s, double short_bytes, double receive_s);
#ifdef __cplusplus
}
#endif

#endif
