/* charge: what accesses and computation take of a processor's time, in seconds. */
#ifndef MEM_TIME_CHARGE_H
#define MEM_TIME_CHARGE_H

struct mem_charge {
    double compute_s; /* the prices of blocks, words of libraries and agents, mem_compute */
    double memory_s;  /* what the hierarchy made it wait beyond hits of the first level */
};
static inline double mem_charge_s(struct mem_charge charge)
{
    return charge.compute_s + charge.memory_s;
}
static inline void mem_charge_more(struct mem_charge *sum, struct mem_charge charge)
{
    sum->compute_s += charge.compute_s;
    sum->memory_s += charge.memory_s;
}

#endif
