/* Small histories of one-sided communication for the tests of check: four ranks, a window of a few
 * words at each. */
#ifndef CHECK_HISTORY_H
#define CHECK_HISTORY_H

#include "check/check.h"
#include "unit.h"

enum { RANKS = 4, BYTES = 64 };

/* Windows of BYTES each, of which the histories use the first words. */
static _Alignas(4096) char memory[RANKS][4096], own[RANKS][4096];
static const int everybody[] = {0, 1, 2, 3};
static const char win[1];
enum { at_a = 0x100, at_b = 0x200 };

static inline struct check_call call_of(int rank, unsigned asserts)
{
    return (struct check_call){.win = win, .win_rank = rank, .asserts = asserts, .site = 0x900};
}

static inline void windows(void)
{
    for (int i = 0; i < RANKS; i++) check_win_begin(win, RANKS, everybody, false);
    for (int i = 0; i < RANKS; i++) {
        check_attach(win, i, (uintptr_t)memory[i], BYTES, "MPI_Win_create", 0);
        check_win_arrive(win, i, "MPI_Win_create", 0);
    }
    for (int i = 0; i < RANKS; i++) check_win_made(win, i);
}

static inline void begin(void)
{
    check_open(RANKS, true, false);
    windows();
}

static inline void fence_with(unsigned asserts)
{
    for (int i = 0; i < RANKS; i++) {
        const struct check_call call = call_of(i, asserts);
        check_fence(&call);
    }
    for (int i = 0; i < RANKS; i++) {
        const struct check_call call = call_of(i, asserts);
        check_fenced(&call);
    }
}

static inline void fence(void) { fence_with(0); }

static inline uint64_t operate_with(enum check_kind kind, int rank, int target, int64_t offset,
                                    op_site site, const void *op)
{
    const struct op_piece there = {offset, 8}, here = {0, 8};
    const struct op_layout target_layout = {&there, 1, 8, offset, offset + 8},
                           origin_layout = {&here, 1, 8, 0, 8};
    static const char type[1];
    return check_operation(&(struct check_operation){
        .kind = kind,
        .win = win,
        .win_rank = rank,
        .target = target,
        .call = "MPI_Put",
        .site = site,
        .there = {(uintptr_t)memory[target], &target_layout},
        .origin = {(uintptr_t)own[rank] + (site == at_b ? 64 : 0), &origin_layout},
        .op = op,
        .type = type});
}

static inline uint64_t operate(enum check_kind kind, int rank, int target, op_site site)
{
    return operate_with(kind, rank, target, 0, site, NULL);
}

static inline void lock(int rank, int target, bool exclusive)
{
    const struct check_call call = call_of(rank, 0);
    check_lock(&call, target, exclusive);
}

static inline void unlock(int rank, int target)
{
    const struct check_call call = call_of(rank, 0);
    check_unlock(&call, target);
    check_returned(&call);
}

static inline void flush(int rank, int target, bool local)
{
    const struct check_call call = call_of(rank, 0);
    check_flush(&call, target, local);
    check_returned(&call);
}

static inline void sync_copies(int rank)
{
    const struct check_call call = call_of(rank, 0);
    check_sync(&call);
}

static inline void touch(enum check_kind kind, int rank, op_site site)
{
    check_access(rank, (uintptr_t)memory[rank], 8, kind, NULL, site, 0);
}

static inline void barrier(void)
{
    struct check_meeting *meeting[RANKS];
    for (int i = 0; i < RANKS; i++) {
        const struct check_comm comm = {everybody, 0, RANKS, i};
        meeting[i] = check_meet(i, &comm, CHECK_ALL, 0, true);
    }
    for (int i = 0; i < RANKS; i++) {
        const struct check_comm comm = {everybody, 0, RANKS, i};
        check_met(i, &comm, meeting[i]);
    }
}

static inline void message(int from, int to)
{
    const struct check_comm there = {everybody, 0, RANKS, from}, here = {everybody, 0, RANKS, to};
    check_sent(from, &there, to, 0, false);
    check_received(to, &here, from, 0, false);
}

/* Findings of that class. */
static inline int found(enum check_class class)
{
    int n = 0;
    for (size_t i = 0; i < check_findings(); i++)
        if (check_finding_get(i)->class == class && check_finding_get(i)->count > 0) n++;
    return n;
}

static inline void expect(int errors, int separate)
{
    check_end();
    UNIT_EQUAL(found(CHECK_ERROR), errors);
    UNIT_EQUAL(found(CHECK_SEPARATE), separate);
    check_close();
}

#endif
