/* ticks: time inside mem, 2^-16 of a processor cycle.
 *
 * Charges are whole numbers: sums do not depend on the order of adding, hence not on which accesses
 * the fast path happened to answer. Ticks never leave the room; its doors speak of seconds. A date
 * is ticks since the start of the simulation. Dates and amounts end at MEM_TICKS_MAX, so that a
 * date, what is owed and what an access takes make a number of 64 bits; world ends a run that comes
 * there.
 */
#ifndef MEM_TIME_TICKS_H
#define MEM_TIME_TICKS_H

#include "base/base.h"

#define MEM_LIKELY(x)   __builtin_expect(!!(x), 1)
#define MEM_UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { MEM_TICK_BITS = 16 };  /* ticks of a cycle: 2^16 */
enum { MEM_TICK_SLACK = 16 }; /* a date that went through seconds and back may be off by rounding */

#define MEM_TICKS_MAX (INT64_C(3) << 60)

struct mem_scale {
    double ticks_per_s, s_per_tick;
};
static inline struct mem_scale mem_scale(double clock_hz)
{
    double ticks_per_s = clock_hz * (1 << MEM_TICK_BITS);
    return (struct mem_scale){ticks_per_s, 1 / ticks_per_s};
}
static inline int64_t mem_ticks(struct mem_scale scale, double s)
{
    double ticks = s * scale.ticks_per_s + 0.5;
    return ticks < (double)MEM_TICKS_MAX ? (int64_t)ticks : MEM_TICKS_MAX;
}
static inline double mem_seconds(struct mem_scale scale, int64_t ticks)
{
    return (double)ticks * scale.s_per_tick;
}
static inline int64_t mem_cycles(double n) { return (int64_t)(n * (1 << MEM_TICK_BITS) + 0.5); }

#endif
