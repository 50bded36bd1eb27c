/* sidewinder.h: what a program may tell Sidewinder.
 *
 * Nothing here is needed: an ordinary MPI program compiles and runs as it is. The header also compiles where there is
 * no Sidewinder: for such a build (mpicc, smpicc) define SIDEWINDER_NONE, and the calls do nothing.
 */
#ifndef SIDEWINDER_H
#define SIDEWINDER_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef SIDEWINDER_NONE
static inline void sw_compute(double cycles) { (void)cycles; }
#else
/* Charges `cycles` of the machine's processor to the calling rank: computation that no load or store shows. Outside a
 * simulated run it does nothing. */
#if defined __GNUC__
__attribute__((visibility("default")))
#endif
void sw_compute(double cycles);
#endif

#ifdef __cplusplus
}
#endif

#endif
