/* What the two files of servicers share: whose it is, which requests it answers for. */
#ifndef SYNC_SERVICER_H
#define SYNC_SERVICER_H

#include "sync/match/state.h"

static inline struct sync_part *sync_part_of(const struct sync_servicer *s)
{
    return &s->match->part[s->member];
}

static inline struct serve_proc *sync_proc_of(const struct sync_servicer *s)
{
    return sync_part_of(s)->proc;
}

/* The one kind of a collective servicer. */
static inline enum sync_kind sync_kind_of(const struct sync_servicer *s)
{
    return s->want.kinds & 1u << SYNC_PUTC ? SYNC_PUTC : SYNC_GETC;
}

static inline bool sync_is_collective(const struct sync_servicer *s)
{
    return s->want.kinds & (1u << SYNC_PUTC | 1u << SYNC_GETC);
}

/* This process's own requests that the servicer answers for, kind by kind; an AVAIL's are both,
 * whichever it serviced. */
#define FOR_OWN(s, own)                                                                            \
    for (int kind_ = 0; kind_ < SYNC_KINDS; kind_++)                                               \
        for (struct sync_own *own = (s)->own_kinds & 1u << kind_                                   \
                                        ? sync_own_of((s)->match, (s)->member, (s)->want.tag,      \
                                                      (enum sync_kind)kind_, (s)->round, false)    \
                                        : NULL;                                                    \
             own; own = NULL)

/* The servicer, and before it, if it is collective, those of earlier rounds that this process has
 * not ended yet. */
#define FOR_ROUNDS(s, other)                                                                       \
    for (GList *at_ = sync_rounds_from(s); at_; at_ = at_->data == (s) ? NULL : at_->next)         \
        for (struct sync_servicer *other = at_->data; other && sync_same_rounds(other, s);         \
             other = NULL)

static inline GList *sync_rounds_from(const struct sync_servicer *s)
{
    return sync_is_collective(s) ? sync_part_of(s)->servicers.head : (GList *)&s->posted;
}

static inline bool sync_same_rounds(const struct sync_servicer *a, const struct sync_servicer *b)
{
    return a == b ||
           (sync_is_collective(a) && a->want.tag == b->want.tag && a->own_kinds == b->own_kinds);
}

/* Memory has what the processor stored, and the processor none of it in its caches; charged. */
void sync_range_flush(struct serve_proc *me, uintptr_t addr, uint64_t bytes);

#endif
