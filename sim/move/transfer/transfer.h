/* One operation in flight: what the program asked for, how far it is, and the sets that calls wait
 * for. Which way it goes: move/move.h; what happens at a target that must come: move/servicing. */
#ifndef MOVE_TRANSFER_H
#define MOVE_TRANSFER_H

#include "base/base.h"
#include "kern/kern.h"
#include "mach/mach.h"
#include "mem/mem.h"
#include "net/net.h"
#include "op/op.h"
#include "serve/clock/clock.h"
#include "serve/request/request.h"

/* What carriers share: the machine, its network, and every rank's processor. */
struct move {
    const struct mach *mach;
    struct net *net;
    struct serve_proc *const *proc; /* by rank */
    int ranks;
    struct move_annex *annex; /* by rank; private to carrier/interface.c */
    /* by rank: where the bytes of requests that wait lie; private to servicing/stage.c */
    struct move_buffer *buffer;
    struct move_engine *engine; /* by node: block engines; private to carrier/engine.c */
    GHashTable *remembered; /* descriptions that targets keep; private to servicing/describe.c */
    /* accumulates that await their go-ahead, by pair of ranks; private to carrier/message.c */
    GHashTable *unfed;
    struct move_atomics *atomics; /* private to carrier/atomic.c */
    struct move_chunks *chunks;   /* private to chunk.c */
};
struct move_carrier;

/* Operations whose completion one call awaits. */
struct move_set {
    struct serve_proc *origin;
    uint64_t outstanding;
    uint64_t started;    /* since the origin last waited for all */
    uint64_t unread;     /* of them, puts whose bytes still lie in the origin's buffer */
    double last_s;       /* when the origin knows of the last one completed so far */
    kern_date completed; /* the same in the graph, of those not waited for yet */
    /* the last one is complete; NULL: nobody asks */
    void (*emptied)(struct move_set *set, double at_s);
};
/* Blocks the origin until every operation of the set is complete. */
void move_set_wait(struct move_set *set);
/* Blocks the origin until its buffers are free: the bytes of every put are on their way. */
void move_set_sent(struct move_set *set);

/* Returns the seconds of a processor that it takes beside touching the bytes. */
typedef double (*move_combine)(const void *in, void *inout, uint64_t bytes, const void *arg);

/* What the target must know beside place and bytes. All zero: predefined datatype and operation,
 * which any header names. */
struct move_described {
    uint64_t number;  /* of the datatype, no other's ever; 0: predefined or registered */
    uint64_t bytes;   /* of its description */
    uint32_t blocks;  /* contiguous blocks of one element: what decoding makes */
    uint32_t handles; /* registered datatype, user's operation: a handle each */
};

/* Where an operation's bytes lie on one side. */
struct move_side {
    uintptr_t addr;
    struct op_layout layout;
};

/* An operation as the program asked for it. The dialect fills it in, once; sync and move read it.
 */
struct move_op {
    enum op_kind kind; /* OP_PUT, OP_GET, OP_ACCUMULATE, OP_GET_ACCUMULATE */
    const char *call;  /* static storage */
    op_site site;
    int target; /* rank in the window or communicator */
    /* Origin's buffer, target's memory (its address counts from where the target offers memory),
     * where old values go (OP_GET_ACCUMULATE). */
    struct move_side from, to, result;
    move_combine combine;    /* accumulates; NULL: replace */
    const void *combine_arg; /* must live until the operation is complete */
    bool combine_is_code;    /* the program's own: no interface can run it */
    bool counter;            /* the target is a register of its interface, not memory */
    bool asks;               /* combines, but done again it changes nothing more */
    bool awaited;            /* the call returns when it is complete */
    bool passive;            /* allowed under a lock only: MPI-3's request-based operations */
    struct move_described described; /* what the target must know beside place and bytes */
    uint64_t number;                 /* of the check; 0: it is off */
};

/* What is known of a transfer at its target (stage.c has the table). */
enum move_state {
    MOVE_SENT,     /* its request is on the way */
    MOVE_SETTLING, /* no servicer is there; its carrier still does what can be done before */
    MOVE_CALLED,   /* the same, and a servicer has come */
    MOVE_WAITING,  /* everything before is done: it may be serviced from now on */
    MOVE_PLACED,   /* where its bytes belong is known */
    MOVE_SERVED,   /* the target's memory has been written or read */
    MOVE_STATES
};

/* An operation in flight: how far it is. move owns it from move_start to its record. */
struct move_transfer {
    struct move_op op; /* layouts are its own; the target's address is final, or set by place() */
    struct op_trail trail; /* kind, call, site, origin, target, bytes and OP_CALLED filled in */
    struct move *move;
    struct serve_proc *origin, *target;
    struct move_set *set;
    /* An operation that needs a servicer (matching): both NULL when `to` is known from the start.
     * Called at the target's node, in an event or in a rank's context. place: the request is there;
     * true: a servicer is, too, and `to` is filled in; false: it waits until move_service. served:
     * the target's memory has been written or read; the operation is not complete yet. */
    bool (*place)(struct move_transfer *t, double at_s);
    void (*served)(struct move_transfer *t, double at_s);
    void *request;            /* theirs */
    struct move_chunk *chunk; /* move_chunk_split; NULL: bytes are written as they are */
    /* private below */
    const struct move_carrier *carrier;
    enum move_state state;
    /* a message brought the request then, which a processor took in later; 0: none did */
    double asked_s;
    double combine_s; /* what combining took */
    bool decodes;     /* a description came along */
    bool loaded;      /* a processor's own loads fetch bytes: no message brings them */
    /* its bytes wait there, in a buffer at the target: one copy more; 0: they do not */
    uintptr_t staged;
    /* carrier/interface.c: sends what was fetched back to the origin */
    void (*reply)(struct move_transfer *t, double done_s);
    uint32_t writer; /* who the bytes written at the target are by */
    uint8_t *bytes;  /* the origin's bytes on their way, or the bytes read for it */
    uint8_t *old;    /* the target's bytes before an accumulate */
    struct serve_job job;
    struct op_piece inline_piece[3];
};
/* A way to carry operations: a member of the family (carrier/models.def). */
struct move_carrier {
    const char *name;     /* stands in the trail */
    const char *selector; /* the value of move.put or move.get that asks for it */
    const char *doc;      /* one sentence */
    const char *source;
    bool sends; /* what it moves between nodes goes over the network */
    bool (*applies)(const struct move_transfer *t); /* pure */
    /* In the origin's context, inside MPI; may charge the origin and pay part of it. Ends, now or
     * later, in move_complete, or waits for a servicer at move_waits. */
    void (*start)(struct move_transfer *t);
    /* The target's part of an operation that waited there; in an event or in the target's context.
     * Ends in move_complete. */
    void (*service)(struct move_transfer *t, double at_s);
};

/* An operation from that rank to that rank, whose memory begins at base, called now. What op points
 * to is copied. */
struct move_transfer *move_transfer_new(struct move *move, const struct move_op *op, int origin,
                                        int target, uintptr_t base);

/* The put's target is memory that is written in whole chunks of shmalloc.chunk, counted from
 * `base`, where the window of that many bytes and that segment begins. Its target layout is one
 * piece. */
void move_chunk_split(struct move_transfer *t, int segment, uintptr_t base, uint64_t bytes);

/* Before it is performed: nothing shall be transferred. */
void move_cut(struct move_transfer *t);
/* Forgets an operation that waits and that nobody will ever service. */
void move_drop(struct move_transfer *t);

/* ---- messages of a transfer ------------------------------------------------------------------ */

/* From the origin to the target, and back: handle(t, arrival) runs when it is there. by: as in
 * net/net.h. What the origin's processor sends has departed (the trail) when its interface is done
 * with it; of several the last. */
void move_send_there(struct move_transfer *t, int by, uint64_t bytes, double ready_s,
                     kern_handler handle);
void move_send_back(struct move_transfer *t, int by, uint64_t bytes, double ready_s,
                    kern_handler handle);
/* Back, from the target's interface, by itself. */
void move_acknowledge(struct move_transfer *t, uint64_t bytes, double ready_s, kern_handler handle);

/* The operation whose bytes the target's or the origin's memory is asked for just now, and that
 * memory's rank; NULL: none's. For who reports a crash. */
const struct move_transfer *move_in_hand(int *memory_of);

#endif
