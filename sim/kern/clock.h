/* clock: SimGrid's clock, read as often as each rank asks what date it is. */
#ifndef KERN_CLOCK_H
#define KERN_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif
double kern_clock(void);
#ifdef __cplusplus
}
#endif

#endif
