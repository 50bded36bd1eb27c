/* dialect/mpi/type: datatypes: their maps, kept beside SMPI's handles, and what follows from them.
 *
 * SMPI 3.32 forgets what a type was made of (MPI_Type_get_contents names wrong combiners), gives a
 * subarray the extent of four bytes, a vector with negative stride a negative extent, and a struct
 * no padding. So maps are computed here, by the rules of MPI-2 chapter 4, and SMPI is handed a type
 * of plain bytes with the same map.
 */
#ifndef DIALECT_MPI_TYPE_H
#define DIALECT_MPI_TYPE_H

#include "dialect/mpi/call/call.h"

struct dialect_rank_group;

/* Entries of a type map: `count` of one predefined type, one right behind the other. */
struct dialect_run {
    MPI_Datatype basic;
    int64_t offset;
    uint64_t count;
};

struct dialect_type {
    MPI_Datatype handle;  /* SMPI's */
    struct op_layout one; /* one element: merged pieces in type-map order */
    int64_t lb, extent;
    bool lb_fixed, ub_fixed; /* by MPI_LB, MPI_UB or a resize: they stick (MPI-2 3.12.3) */
    uint64_t alignment;
    /* the only predefined type inside; MPI_DATATYPE_NULL: none or several */
    MPI_Datatype basic;
    bool mixed; /* several */
    /* the type map; NULL where it follows from the pieces, because they are all of `basic` */
    struct dialect_run *run;
    uint32_t runs;
    int rank;         /* whose handle */
    uint64_t number;  /* no other type's, ever; 0: predefined */
    uint64_t encoded; /* bytes of its description (map.c) */
    bool committed;
    int refs;                  /* handles, types made of it, requests */
    struct dialect_made *made; /* NULL: predefined */
};

/* NULL: not a datatype. */
struct dialect_type *dialect_type_find(MPI_Datatype handle);
struct dialect_type *dialect_type_ref(struct dialect_type *type);
void dialect_type_unref(struct dialect_type *type);

/* The bytes of what was received, or of what MPI_Status_set_elements says. */
int64_t dialect_status_bytes(const MPI_Status *status);

/* `count` elements as pieces. Not to be copied: `layout` may point into the struct. */
struct dialect_layout {
    struct op_layout layout;
    struct op_piece single;
    struct op_piece *several;
};
void dialect_layout_init(struct dialect_layout *layout, const struct dialect_type *type,
                         int64_t count);
/* its first bytes only */
void dialect_layout_limit(struct dialect_layout *layout, uint64_t bytes);
void dialect_layout_clear(struct dialect_layout *layout);

/* Where the type maps and bounds of two types differ: "entry 2 is MPI_INT at byte 8 on rank 0,
 * ..."; NULL: they agree. Free it. */
char *dialect_map_difference(const struct dialect_type *a, int a_rank, const struct dialect_type *b,
                             int b_rank);
/* Do so many bytes of the two hold the same predefined types, one after the other? */
bool dialect_signature_agrees(const struct dialect_type *a, const struct dialect_type *b,
                              uint64_t bytes);
/* Of so many bytes of data, what does not match as a message's would have to: "MPI_INT is sent,
 * MPI_FLOAT received"; NULL: all does. MPI_BYTE and MPI_PACKED match all, and so do two names of
 * numbers of one kind and size (MPI_LONG, MPI_INT64_T): no data goes wrong there. Free it. */
char *dialect_signature_difference(const struct dialect_type *from, const struct dialect_type *to,
                                   uint64_t bytes);
/* In the representation "external32": the bytes of so many elements; out: writes them there, else
 * reads them back. (external.c) */
uint64_t dialect_external_bytes(const struct dialect_type *type, int64_t count);
void dialect_external(const struct dialect_type *type, int64_t count, char *buf, char *external,
                      bool out);
/* What a user's operation is called on: see type_register.h. */
struct dialect_type *dialect_type_element(struct dialect_type *type);
/* What describes an operation to its target, with that target datatype. */
struct move_described dialect_describe(struct world_rank *rank, const struct dialect_type *type,
                                       int target, const struct dialect_rank_group *ranks);

#endif
