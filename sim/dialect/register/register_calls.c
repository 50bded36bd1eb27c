/* Registering and deregistering: arguments checked, the rest is collective_register.c's and
 * register.c's. Errors go to the communicator's handler. */
#include "dialect/register/inside.h"
#include "type_register.h"

static int bad_comm(struct world_rank *r, MPI_Comm comm, const char *call)
{
    return dialect_rule_error(r, dialect_comm_blamed(r, comm), "registration", call, MPI_ERR_COMM,
                              "not a valid intracommunicator (freed, or an intercommunicator)");
}

/* ---- what is registered ---------------------------------------------------------------------- */

/* A handle that was freed may have become another rank's. */
static bool own(int rank)
{
    const struct world_rank *r = world_here();
    return r && r->rank == rank;
}

/* What is wrong with it; NULL: nothing. */
static const char *type_given(MPI_Datatype datatype, struct dialect_object *object, int *class)
{
    struct dialect_type *type = dialect_type_find(datatype);
    if (type && type->made && !own(type->rank)) type = NULL;
    *object = (struct dialect_object){
        .kind = DIALECT_TYPE, .known = type, .predefined = type && !type->made};
    *class = MPI_ERR_TYPE;
    if (!type) return "invalid datatype handle";
    return type->committed ? NULL : "the datatype is not committed";
}

static const char *op_given(MPI_Op op, struct dialect_object *object, int *class)
{
    bool predefined = dialect_reduce_op_predefined(op);
    struct dialect_reduce_op *user = dialect_reduce_op_find(op);
    if (user && !own(user->rank)) user = NULL;
    *object = (struct dialect_object){.kind = DIALECT_OP,
                                      .known = predefined ? (void *)op : (void *)user,
                                      .predefined = predefined};
    *class = MPI_ERR_OP;
    return object->known ? NULL : "invalid MPI_Op handle";
}

/* ---- registering ----------------------------------------------------------------------------- */

struct call {
    const char *name;
    uintptr_t pc;
    struct dialect_object object;
    const char *error;
    int class;
    MPI_Comm comm;
    bool sparse;
    MPI_Group group;
};

/* World ranks of the group without the caller; NULL: a process of the group is not in the
 * communicator, `outside`. */
static int *peers_of(struct world_rank *r, const struct dialect_comm *comm, MPI_Group group, int *n,
                     int *outside)
{
    DIALECT_AWAY;
    int size = 0, peers = 0;
    MPI_Group all;
    PMPI_Group_size(group, &size);
    PMPI_Comm_group(comm->comm, &all);
    g_autofree int *in_group = g_new(int, size + 1), *in_comm = g_new(int, size + 1);
    for (int i = 0; i < size; i++) in_group[i] = i;
    PMPI_Group_translate_ranks(group, size, in_group, all, in_comm);
    PMPI_Group_free(&all);
    int *peer = g_new(int, size + 1);
    *outside = -1;
    for (int i = 0; i < size; i++) {
        if (in_comm[i] < 0 || in_comm[i] >= comm->members)
            *outside = i;
        else if (comm->ranks->world_rank[in_comm[i]] != r->rank)
            peer[peers++] = comm->ranks->world_rank[in_comm[i]];
    }
    *n = peers;
    return peer;
}

/* What the ranks have agreed on holds from now on. */
static int registered(struct world_rank *r, const struct call *c, const char *wrong,
                      const struct dialect_beside *beside, struct dialect_part *part)
{
    if (part) dialect_registered_add(r, part);
    return wrong
               ? dialect_rule_conflict(r, c->comm, "registration", c->name, c->class, wrong, beside)
               : MPI_SUCCESS;
}

static int sparse(struct world_rank *r, const struct dialect_comm *comm, struct call *c)
{
    if (c->group == MPI_GROUP_NULL)
        return dialect_rule_error(r, c->comm, "registration", c->name, MPI_ERR_GROUP,
                                  "the group is MPI_GROUP_NULL");
    int n, outside;
    g_autofree int *peers = peers_of(r, comm, c->group, &n, &outside);
    if (outside >= 0)
        return dialect_rule_error(r, c->comm, "registration", c->name, MPI_ERR_GROUP,
                                  "process %d of the group is not in the communicator", outside);
    struct dialect_part *part = NULL;
    struct dialect_beside beside = {.rank = -1};
    g_autofree char *wrong =
        dialect_sparse_register(r, comm, peers, n, c->object, c->error, &c->class, &beside, &part);
    return registered(r, c, wrong, &beside, part);
}

static int collective(struct world_rank *r, const struct dialect_comm *comm, struct call *c)
{
    struct dialect_part *part = NULL;
    struct dialect_beside beside = {.rank = -1};
    g_autofree char *wrong =
        dialect_collective_register(r, comm, c->object, c->error, &c->class, &beside, &part);
    return registered(r, c, wrong, &beside, part);
}

static int register_call(struct call *c)
{
    struct world_rank *r = world_enter(c->name, c->pc);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_comm *comm = dialect_comm_find(r, c->comm);
    int code = !comm       ? bad_comm(r, c->comm, c->name)
               : c->sparse ? sparse(r, comm, c)
                           : collective(r, comm, c);
    world_leave(r);
    return code;
}

#define REGISTER(given, handle, its_comm, ...)                                                     \
    struct call c = {.name = __func__, .pc = DIALECT_PC, .comm = its_comm, __VA_ARGS__};           \
    c.error = given(handle, &c.object, &c.class);                                                  \
    c.object.call = __func__;                                                                      \
    return register_call(&c)

int MPI_Type_register(MPI_Datatype datatype, MPI_Comm comm)
{
    REGISTER(type_given, datatype, comm);
}

int MPI_Type_register_sparse(MPI_Datatype datatype, MPI_Group group, MPI_Comm comm)
{
    REGISTER(type_given, datatype, comm, .sparse = true, .group = group);
}

int MPI_Op_register(MPI_Op op, MPI_Comm comm) { REGISTER(op_given, op, comm); }

int MPI_Op_register_sparse(MPI_Op op, MPI_Group group, MPI_Comm comm)
{
    REGISTER(op_given, op, comm, .sparse = true, .group = group);
}

/* ---- deregistering: local -------------------------------------------------------------------- */

static int take_back(const char *call, uintptr_t pc, struct dialect_object object,
                     const char *error, int class, MPI_Comm comm)
{
    struct world_rank *r = world_here();
    if (!r) return MPI_ERR_OTHER;
    if (!dialect_comm_find(r, comm)) return bad_comm(r, comm, call);
    /* One that is not committed any more cannot be: only the handle matters. */
    if (!object.known) return dialect_kept_error(call, pc, comm, class, error, NULL);
    if (object.predefined || dialect_registered_drop(r, object.known, comm)) return MPI_SUCCESS;
    return dialect_kept_error(call, pc, comm, class, "it is not registered over this communicator",
                              NULL);
}

int MPI_Type_dereg(MPI_Datatype datatype, MPI_Comm comm)
{
    struct dialect_object object;
    int class;
    const char *error = type_given(datatype, &object, &class);
    return take_back(__func__, DIALECT_PC, object, error, class, comm);
}

int MPI_Op_dereg(MPI_Op op, MPI_Comm comm)
{
    struct dialect_object object;
    int class;
    const char *error = op_given(op, &object, &class);
    return take_back(__func__, DIALECT_PC, object, error, class, comm);
}
