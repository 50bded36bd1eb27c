/* The program's state of floating point (IEEE 754: rounding, traps, flags) while something else
 * computes in its thread: that computes with the state that a thread begins with, and leaves the
 * program's as it was. x86-64. Left out: functions of the program that MPI calls back (operations,
 * error handlers), and sums that MPI computes, take the state of a new thread, too. */
#ifndef BASE_FLOATING_H
#define BASE_FLOATING_H

#include <fenv.h>
#include <xmmintrin.h>

enum { BASE_SSE_PLAIN = 0x1f80, BASE_SSE_FLAGS = 0x3f };

/* Of an access, whose cost is computed with SSE alone: two instructions where nothing is changed.
 */
static inline unsigned base_sse_begin(void)
{
    unsigned before = _mm_getcsr();
    if (__builtin_expect((before & ~(unsigned)BASE_SSE_FLAGS) != BASE_SSE_PLAIN, 0))
        _mm_setcsr(BASE_SSE_PLAIN);
    return before;
}
static inline void base_sse_end(unsigned before)
{
    if (__builtin_expect(_mm_getcsr() != before, 0)) _mm_setcsr(before);
}

/* Of a call, during which other ranks run. */
struct base_floating {
    unsigned sse, x87_flags;
    unsigned short x87_control;
};
void base_floating_begin(struct base_floating *before);
void base_floating_end(const struct base_floating *before);

#endif
