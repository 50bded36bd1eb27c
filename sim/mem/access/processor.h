/* processor: a processor as instrumented code and the hooks see it, and its accesses. What lies in
 * its filter needs nothing but counting, which instrumented code does itself (probe/in_line).
 */
#ifndef MEM_ACCESS_PROCESSOR_H
#define MEM_ACCESS_PROCESSOR_H

#include "base/copies/copies.h"
#include "mem/access/foreign.h"
#include "mem/branch/branch.h"
#include "mem/cache/filter.h"
#include "mem/core/flight.h"
#include "mem/target/target.h"
#include "mem/time/ledger.h"
#include "op/op.h"
#include "profile/stalls/stalls.h"

struct mem_core;   /* private part of a processor */
struct world_hits; /* what world keeps of it */

/* What is known of an access of instrumented code before the program runs, in ticks. The price of
 * its block is charged where the block begins: that of what hits the first level; here the
 * processor pays what a miss takes longer. NULL instead of one: an access of a library's or an
 * agent's, each of whose words is work, too. */
struct mem_site {
    int64_t rest; /* of its block's price, from its issue on: charged, but not yet over */
    /* of a load: from its issue until the processor needs its value; of a branch: struct
     * mem_branch_ways */
    int32_t slack;
    /* of a load: the site whose value its address is made of, so many sites further on, itself
     * included; MEM_AFTER_NONE, MEM_AFTER_YOUNGEST */
    int32_t after : MEM_AFTER_BITS;
    /* of a load: that of a load before it from the same pointer, so many further on, whose line it
     * is likely to be from; 0: of none */
    int32_t beside : MEM_BESIDE_BITS;
    uint32_t between : MEM_BETWEEN_BITS; /* cycles in which the address is made of that value */
};

/* Lines missed; what lies behind the fourth level counts with it. */
enum { MEM_MISSED = 4 };
struct mem_missed {
    uint32_t level[MEM_MISSED];
    uint32_t pages;  /* translations fetched */
    uint32_t around; /* reads of memory for a store of less than 4 bytes */
};
static inline bool mem_missed_any(const struct mem_missed *m)
{
    const char *counts = (const char *)m;
    uint64_t first, second, third;
    _Static_assert(sizeof *m == 3 * sizeof first, "six counts are three words");
    memcpy(&first, counts, sizeof first);
    memcpy(&second, counts + sizeof first, sizeof second);
    memcpy(&third, counts + 2 * sizeof first, sizeof third);
    return first | second | third;
}

/* The profile's row of a place, so that the straight path finds it, and the bytes of its object
 * that are known to be that. */
enum { MEM_ROWS = 256 }; /* a power of two */
struct mem_row {
    uintptr_t pc;
    struct profile_stall *row;
    uintptr_t from;
    uint64_t bytes; /* 0: none are known */
};

/* The load before which its rank last paid, at which date, after how many misses and stores; place
 * 0: none, or it has called MPI since. */
struct mem_spin {
    uintptr_t pc, addr;
    uint64_t changes;
    int64_t at;
};

/* An access of instrumented code: its address, what is asked (below), whose, where. */
struct mem_cpu;
enum { MEM_ASK_BYTES = 31 };
typedef void mem_ask(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                     const struct mem_site *site, uintptr_t pc);

/* One processor: what the hooks touch. */
enum { MEM_AGAIN = 64, MEM_RUNS = 4 };
/* Of stores of a number that go to where the round before stored: the last few places, the
 * rounds since the run of each began, and the processor's stores then. */
struct mem_runs {
    struct mem_run {
        uint64_t at, stores;
        uint32_t rounds;
    } run[MEM_RUNS];
};
struct mem_cpu {
    struct mem_ledger ledger;
    uint64_t played; /* accesses and branches that did more than hit its first level (in_line.h) */
    uint64_t loop_ends; /* loops that count and were left */
    uint64_t priced;    /* all ones: its blocks cost and are counted; 0: nobody's (in_line.h) */
    struct mem_filter filter;
    uint8_t branch[MEM_BRANCHES];  /* entries of branches */
    uint32_t target[MEM_TARGETS];  /* and of what has many targets */
    uint64_t again[MEM_AGAIN];     /* where stores of a number stored last (in_line.h) */
    struct mem_runs *runs;         /* of each number; NULL: none has stored there again */
    int rank;                      /* whose processor */
    uintptr_t code_base, code_end; /* where this rank's copy of the program is loaded */
    /* the call in progress: the place of accesses made on its behalf; 0: unknown */
    uintptr_t call_pc;
    uintptr_t pay_pc; /* the access or loop end where its rank last paid; 0: nowhere yet */
    struct mem_spin spin;
    struct mem_foreign foreign;
    struct mem_core *core;     /* NULL: no processor of a node */
    struct mem_flight *flight; /* NULL: it waits for each access */
    struct mem_branches branches;
    struct mem_targets targets;
    /* how many rounds a loop that counts will take, as a target; of branches with a past alone */
    struct mem_targets rounds;
    /* lines its own accesses have missed since probe looked, by level */
    struct mem_missed missed;
    bool copies;           /* the access is a piece of a library's copy */
    mem_ask *load, *store; /* of instrumented code, at most 16 bytes; NULL: mem_load, mem_store */
    /* the same while its code runs, and nobody watches; else NULL (mem_cpu_runs) */
    mem_ask *asked_load, *asked_store;
    /* the same where probe sees each access (mem_cpu_seen), which counts those it has seen; while
     * its code runs, and nobody else watches */
    mem_ask *seen_load, *seen_store, *looks_load, *looks_store;
    uint32_t seen;
    bool unobserved;         /* mem_unobserved */
    bool quiet;              /* then its stores may wait, too (access/quiet.h) */
    uint32_t changes;        /* so often may an address have come to belong to something else */
    struct world_hits *hits; /* world/hits; NULL: nobody asks which objects it touches */
    /* what not every run writes all of comes last (struct mem_seat) */
    struct mem_row row[MEM_ROWS]; /* by pc */
    uint32_t round[MEM_TARGETS];  /* entries of `rounds` */
};

/* The place of code in its rank's copy of the program. */
static inline op_site mem_place(const struct mem_cpu *cpu, uintptr_t pc)
{
    if (pc == 0) return 0;
    if (pc >= cpu->code_base && pc < cpu->code_end) return pc - cpu->code_base;
    return OP_SITE_FOREIGN | base_copies_place(pc);
}

/* What it waits for memory, of what is not paid yet; in ticks (counters.h: mem_tick). */
static inline int64_t mem_stalled(const struct mem_cpu *cpu) { return cpu->ledger.memory; }
/* It waits for the loads in flight that it needs now: before anything asks what date it is. */
static inline void mem_settle(struct mem_cpu *cpu)
{
    if (cpu->flight) cpu->ledger.memory += mem_flight_settle(cpu->flight, mem_now(&cpu->ledger));
}
/* Its date, once it has. */
static inline int64_t mem_date(struct mem_cpu *cpu)
{
    mem_settle(cpu);
    return mem_now(&cpu->ledger);
}

/* ---- the program's own accesses (probe) ------------------------------------------------------
 * Called just before the access; a store must have happened before the next call about this node.
 * MEM_PAY_FIRST: nothing was done; the access touches a segment's line or needs the bus and the
 * processor is more than `quantum_s` ahead: pay, call mem_paid, ask again. Any size: what lies in
 * several lines is one access a line, more than 16 bytes of a line are played as words of 8. A long
 * range is never paid for in between: callers cut it (at lines, say) where others should come in.
 * `pc`: where in the program; 0: cpu->call_pc. The caller has taken the site's `rest` back. */
enum mem_result { MEM_DONE, MEM_PAY_FIRST };
enum mem_result mem_load(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                         const struct mem_site *site);
enum mem_result mem_store(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                          const struct mem_site *site);
/* Would mem_load be MEM_PAY_FIRST? The processor waits for what it needs by now. */
bool mem_load_pays_first(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes);
/* The two of an atomic read-modify-write. The load fetches a missing line for ownership, where
 * caches are coherent; the store follows at once, and never has to pay: the line cannot go between
 * them. */
enum mem_result mem_load_to_write(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                                  const struct mem_site *site);
void mem_store_loaded(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, uintptr_t pc,
                      const struct mem_site *site);

/* What instrumented code asks where the filter has no answer: at most 16 bytes, counted and charged
 * where its block began, by the processor that runs it. `what`: the bytes in its lowest bits
 * (MEM_ASK_BYTES), the rest is the asker's. It is played in short, or asked of mem_above with
 * nothing done; what it missed and waited is in the profile's row, if the processor has that at
 * hand (mem_know_row). */
/* Those that do (struct mem_cpu: load, store). Of the simplest processors (straight.c,
 * straight_store.c): with one level, with two. */
mem_ask mem_straight_load, mem_straight_load_two, mem_straight_store, mem_straight_store_two;
/* Of others (hit.c), what hits: what the filter has not, for want of room, because other lines
 * of its set were used since, or because it is a segment's, but the first level has. */
mem_ask mem_hit_load, mem_hit_store;
/* Of those of them that go on out of order behind two levels and more (layered.c), as their levels
 * are: they are set. */
void mem_layered_asks(struct mem_cpu *cpu);
/* probe's: what these do not play; a load that must be paid for first, with nothing done, after
 * which it is asked for again; the row of an access, which is not at hand, NULL: nobody keeps
 * any; a store has kept the processor waiting, for the write or the store buffer, which is in no
 * row yet; and a branch that was predicted wrongly, whose row is not at hand (mem_goes), with
 * nothing done. */
struct mem_above {
    mem_ask *load, *store, *pay_first;
    struct profile_stall *(*row)(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc);
    void (*waited)(struct mem_cpu *cpu, int64_t ticks, uintptr_t addr, uintptr_t pc);
    void (*mispredicted)(struct mem_cpu *cpu, const struct mem_site *site, uintptr_t pc);
    void (*saved)(struct mem_cpu *cpu, int64_t ticks, uintptr_t pc);
};
extern struct mem_above mem_above;
/* Each of its accesses is mem_load's, mem_store's from now on. */
void mem_cpu_plain(struct mem_cpu *cpu);
/* The same, but that probe may have mem answer, and look at the access afterwards: seen_load. */
void mem_cpu_seen(struct mem_cpu *cpu);
/* So many ranges are watched: each access is to be seen. It changes only while no code runs. */
extern int mem_watched;
/* Code of the processor begins to run; it stops. */
static inline void mem_cpu_runs(struct mem_cpu *cpu, bool runs)
{
    const bool answers = runs && mem_watched == 0;
    cpu->asked_load = answers ? cpu->load : NULL;
    cpu->asked_store = answers ? cpu->store : NULL;
    cpu->looks_load = answers ? cpu->seen_load : NULL;
    cpu->looks_store = answers ? cpu->seen_store : NULL;
}
/* Calls of one function lie more than 16 bytes apart: a table that is indexed by their lowest bits
 * has two of a loop in one place. */
static inline size_t mem_row_number(uintptr_t pc) { return pc >> 4 & (MEM_ROWS - 1); }
static inline struct profile_stall *mem_row_of(const struct mem_cpu *cpu, uintptr_t pc)
{
    const struct mem_row *known = &cpu->row[mem_row_number(pc)];
    return MEM_LIKELY(known->pc == pc) ? known->row : NULL;
}
/* The row of an access to that byte, of the object that has it; NULL: it is not at hand. */
static inline struct profile_stall *mem_row_near(const struct mem_cpu *cpu, uintptr_t addr,
                                                 uintptr_t pc)
{
    const struct mem_row *known = &cpu->row[mem_row_number(pc)];
    return MEM_LIKELY(known->pc == pc && addr - known->from < known->bytes) ? known->row : NULL;
}
/* The same, asked for if it is not; NULL: nobody keeps any. */
static inline struct profile_stall *mem_row_at(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc)
{
    struct profile_stall *row = mem_row_near(cpu, addr, pc);
    if (MEM_LIKELY(row != NULL)) return row;
    return mem_above.row ? mem_above.row(cpu, addr, pc) : NULL;
}
/* [from, from + bytes) is all of the row's object. */
static inline void mem_know_row(struct mem_cpu *cpu, uintptr_t pc, struct profile_stall *row,
                                uintptr_t from, uint64_t bytes)
{
    cpu->row[mem_row_number(pc)] = (struct mem_row){pc, row, from, bytes};
}
/* Those bytes may be another object's now. */
static inline void mem_forget_rows(struct mem_cpu *cpu, uintptr_t from, uint64_t bytes)
{
    for (size_t i = 0; i < MEM_ROWS; i++) {
        struct mem_row *known = &cpu->row[i];
        if (known->bytes == 0) continue; /* what is zero stays memory that nobody touched */
        if (known->from - from < bytes || from - known->from < known->bytes) known->bytes = 0;
    }
}

/* The branch at pc is about to go one way; `what`: its entry, and MEM_BRANCH_BACKWARD. If that was
 * predicted wrongly, what its site says that it waits for, and `rest`, are lost, and are in the
 * profile's row, if the processor has that at hand. (flying.c: by what the predictor knows.) */
typedef void mem_goes_call(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                           const struct mem_site *site, uintptr_t pc);
mem_goes_call mem_goes_by_entry, mem_goes_by_history;
static inline void mem_goes(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                            const struct mem_site *site, uintptr_t pc)
{
    (cpu->branches.steps ? mem_goes_by_entry : mem_goes_by_history)(against, what, cpu, site, pc);
}
/* The same of what is about to go to a target of several; `what`: its entry, MEM_TARGET_CALL ... */
void mem_jumps(uint64_t to, uint32_t what, struct mem_cpu *cpu, const struct mem_site *site,
               uintptr_t pc);
/* A loop that counts has been left behind so many rounds. If that was predicted wrongly, `lost` is,
 * and it returns true. */
bool mem_leaves_loop(uint64_t rounds, uint32_t number, int64_t lost, struct mem_cpu *cpu,
                     uintptr_t pc);
/* It was predicted wrongly; what is lost is in no row yet. */
void mem_mispredict(struct mem_cpu *cpu, const struct mem_site *site);

/* A loop begins that hands on what its loads at one or two sites load: in its first round it has
 * another value, made of what `after` says (struct mem_site), and waits for that. In the place of a
 * site: `matters` is 0 where the processor does not go on behind loads; -: sites further on, 0: of
 * none. */
struct mem_begun {
    int64_t matters;
    int16_t handed[2];
    int32_t after : MEM_AFTER_BITS;
    int32_t unused : MEM_BESIDE_BITS + MEM_BETWEEN_BITS;
};
void mem_begin(struct mem_cpu *cpu, const struct mem_site *site);

/* Stores to [to, to + bytes) are a copy's from now on, until mem_copy_end: of one long enough, the
 * lines that no cache of the processor holds go to memory whole and are not fetched. */
void mem_copy_begin(struct mem_cpu *cpu, uintptr_t to, uint64_t bytes);
void mem_copy_end(struct mem_cpu *cpu);

/* Nobody but this processor's rank touches memory until it says so, nor then at a date before the
 * processor's own: meanwhile what others have stored cannot change, lines of segments that it loads
 * from stand in its filter, and what it stores may wait (access/quiet.h). */
void mem_unobserved(struct mem_cpu *cpu, bool is);
/* What it has stored meanwhile is what memory holds: before code runs that may store unseen. It
 * leaves the registers of floating point alone. */
#define MEM_WITHOUT_FLOATS __attribute__((target("general-regs-only")))
MEM_WITHOUT_FLOATS void mem_quiet_end(struct mem_cpu *cpu);
/* Is an address within the bounds one of a segment, not of memory that lies between two? */
MEM_WITHOUT_FLOATS bool mem_foreign_segment(const struct mem_cpu *cpu, uintptr_t addr);

/* Whole pages of a rank's own that its program has given back to the operating system: whoever
 * touches them waits for new ones. Pages that the system has moved there: they need not be waited
 * for. */
void mem_given_back(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes);
void mem_moved(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes);

/* The processor waits until its store buffer is empty: before an atomic operation, an MPI call. */
void mem_fence(struct mem_cpu *cpu);
/* It waits for its loads, too, and takes what an atomic operation takes beyond its load: a fence of
 * the program's. Left out: a write buffer before memory (wb.entries), which goes on. */
void mem_fence_all(struct mem_cpu *cpu);

/* What instrumented code does in line: an access to a line in the filter needs nothing but
 * counting. It must be of at most 16 bytes and not cross a line. */
static inline bool mem_fast_load(struct mem_cpu *cpu, uintptr_t addr)
{
    uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    if (cpu->filter.load_ok[line & (MEM_FILTER - 1)] != line) return false;
    cpu->ledger.loads++;
    return true;
}
static inline bool mem_fast_store(struct mem_cpu *cpu, uintptr_t addr)
{
    uint64_t line = (uint64_t)addr >> cpu->filter.line_shift;
    if (cpu->filter.store_ok[line & (MEM_FILTER - 1)] != line) return false;
    cpu->ledger.stores++;
    return true;
}

#endif
