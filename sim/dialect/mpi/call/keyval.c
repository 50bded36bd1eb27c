/* Keys of attributes of communicators and datatypes (those of windows: window/attribute.c).
 *
 * "It is not erroneous to free an attribute key that is in use, because the actual free does not
 * transpire until after all references to the key have been freed" (MPI-2 5.7.1), also through a
 * copy of it: SMPI 3.32 refuses to look up a freed key, so it never learns that one is; only new
 * attributes are refused. A communicator is one for all its ranks there, with the attributes of
 * all, and a rank that copies it copies those of the others: ours are copied by their own rank. And
 * its MPI_Type_dup returns success whatever a copy callback returns, so those of datatypes go
 * through ours. What callbacks compute takes their rank's time, and is theirs, not the call's. SMPI
 * frees what ranks have left behind when the last one has called MPI_Finalize, or when the run is
 * over, by MPI_Abort. No process is then there that could run callbacks.
 */
#include "dialect/mpi/call/call.h"

struct type_key {
    MPI_Type_copy_attr_function *copy;
    MPI_Type_delete_attr_function *delete;
    void *extra;
};

struct comm_key {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
    int rank; /* whose it is */
};

static GHashTable *freed_comm, *freed_type; /* numbers; SMPI has each once for all ranks */
static int failed;                          /* what a copy callback returned */

static bool is_freed(GHashTable *freed, int keyval)
{
    return freed && g_hash_table_contains(freed, GINT_TO_POINTER(keyval));
}

static int bad_key(MPI_Comm comm, const char *call, int keyval)
{
    return dialect_error(world_here(), comm, call, MPI_ERR_KEYVAL,
                         "%d is not an attribute key (never created, or freed)", keyval);
}

static bool known_to_comms(int keyval)
{
    void *value;
    int flag;
    return PMPI_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &flag) == MPI_SUCCESS;
}

static bool known_to_types(int keyval)
{
    void *value;
    int flag;
    return PMPI_Type_get_attr(MPI_INT, keyval, &value, &flag) == MPI_SUCCESS;
}

static int free_key(GHashTable **freed, const char *call, bool known, int *keyval)
{
    if (*keyval < 0 || is_freed(*freed, *keyval) || !known)
        return bad_key(MPI_COMM_NULL, call, *keyval);
    if (!*freed) *freed = g_hash_table_new(NULL, NULL);
    g_hash_table_add(*freed, GINT_TO_POINTER(*keyval));
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

int MPI_Comm_free_keyval(int *keyval)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    return free_key(&freed_comm, __func__, known_to_comms(*keyval), keyval);
}
int MPI_Keyval_free(int *keyval)
{
    return free_key(&freed_comm, __func__, known_to_comms(*keyval), keyval);
}
int MPI_Type_free_keyval(int *keyval)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    return free_key(&freed_type, __func__, known_to_types(*keyval), keyval);
}

static bool nobody_is_there(void) { return !world_here() || dialect_finalized(); }

/* ---- callbacks of communicators -------------------------------------------------------------- */

static int comm_copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    const struct comm_key *key = extra;
    struct world_rank *r = world_here();
    *flag = 0;
    if ((r && r->rank != key->rank) || key->copy == MPI_COMM_NULL_COPY_FN) return MPI_SUCCESS;
    if (key->copy != MPI_COMM_DUP_FN) {
        r = dialect_callback_begin();
        return dialect_callback_end(r, key->copy(comm, keyval, key->extra, in, out, flag));
    }
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int comm_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    const struct comm_key *key = extra;
    if (key->delete == MPI_COMM_NULL_DELETE_FN || nobody_is_there()) return MPI_SUCCESS;
    struct world_rank *r = dialect_callback_begin();
    return dialect_callback_end(r, key->delete(comm, keyval, value, key->extra));
}

static int create_comm_key(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                           int *keyval, void *extra)
{
    const struct world_rank *r = world_here();
    struct comm_key *key = g_new(struct comm_key, 1); /* as long as the key: for ever */
    *key = (struct comm_key){copy, delete, extra, r ? r->rank : 0};
    return PMPI_Comm_create_keyval(comm_copied, comm_deleted, keyval, key);
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy_fn,
                           MPI_Comm_delete_attr_function *delete_fn, int *keyval, void *extra_state)
{
    return create_comm_key(copy_fn, delete_fn, keyval, extra_state);
}
int MPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval,
                      void *extra_state)
{
    return create_comm_key(copy_fn, delete_fn, keyval, extra_state);
}

static void set_on_self(struct dialect_rank *state, int keyval)
{
    if (!state->on_self) state->on_self = g_array_new(FALSE, FALSE, sizeof keyval);
    g_array_append_val(state->on_self, keyval);
}

void dialect_delete_on_self(struct world_rank *rank)
{
    GArray *keys = dialect_rank(rank)->on_self;
    for (guint i = keys ? keys->len : 0; i > 0; i--) {
        const int keyval = g_array_index(keys, int, i - 1);
        void *value;
        int there = 0;
        PMPI_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &there);
        if (there) PMPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    }
}

static int set_on_comm(const char *call, MPI_Comm comm, int keyval, void *value)
{
    if (is_freed(freed_comm, keyval)) return bad_key(comm, call, keyval);
    DIALECT_AWAY;
    int code = PMPI_Comm_set_attr(comm, keyval, value);
    if (code == MPI_SUCCESS && comm == MPI_COMM_SELF && world_here())
        set_on_self(dialect_rank(world_here()), keyval);
    return code == MPI_SUCCESS ? code : dialect_refused(world_here(), comm, call, code);
}

int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    return set_on_comm(__func__, comm, comm_keyval, attribute_val);
}

int MPI_Attr_put(MPI_Comm comm, int keyval, void *attr_value)
{
    return set_on_comm(__func__, comm, keyval, attr_value);
}

/* MPI_LASTUSEDCODE grows with the program's own codes (code.c); SMPI's stays as it was. */
static int get_of_comm(const char *call, uintptr_t pc, MPI_Comm comm, int keyval, void *value,
                       int *flag)
{
    if (dialect_in_thread(call, pc)) return MPI_ERR_OTHER;
    struct world_rank *r = world_here();
    if (r && keyval == MPI_LASTUSEDCODE && comm != MPI_COMM_NULL) {
        *(int **)value = dialect_last_used_code(r);
        *flag = 1;
        return MPI_SUCCESS;
    }
    DIALECT_AWAY;
    int code = PMPI_Comm_get_attr(comm, keyval, value, flag);
    return code == MPI_SUCCESS ? code : dialect_refused_outside(pc, comm, call, code);
}

int MPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    return get_of_comm(__func__, DIALECT_PC, comm, comm_keyval, attribute_val, flag);
}

int MPI_Attr_get(MPI_Comm comm, int keyval, void *attr_value, int *flag)
{
    return get_of_comm(__func__, DIALECT_PC, comm, keyval, attr_value, flag);
}

int MPI_Type_set_attr(MPI_Datatype type, int type_keyval, void *att)
{
    if (is_freed(freed_type, type_keyval)) return bad_key(MPI_COMM_NULL, __func__, type_keyval);
    DIALECT_AWAY;
    int code = PMPI_Type_set_attr(type, type_keyval, att);
    return code == MPI_SUCCESS ? code
                               : dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
}

/* ---- callbacks of datatypes ------------------------------------------------------------------ */

static int copied(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    const struct type_key *key = extra;
    int code = MPI_SUCCESS;
    *flag = key->copy == MPI_TYPE_DUP_FN;
    if (key->copy == MPI_TYPE_DUP_FN)
        *(void **)out = in;
    else if (key->copy != MPI_TYPE_NULL_COPY_FN) {
        struct world_rank *r = dialect_callback_begin();
        code = dialect_callback_end(r, key->copy(type, keyval, key->extra, in, out, flag));
    }
    if (code != MPI_SUCCESS) failed = code;
    return code;
}

static int deleted(MPI_Datatype type, int keyval, void *value, void *extra)
{
    const struct type_key *key = extra;
    if (key->delete == MPI_TYPE_NULL_DELETE_FN || nobody_is_there()) return MPI_SUCCESS;
    struct world_rank *r = dialect_callback_begin();
    return dialect_callback_end(r, key->delete(type, keyval, value, key->extra));
}

int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn,
                           MPI_Type_delete_attr_function *delete_fn, int *keyval, void *extra_state)
{
    struct type_key *key = g_new(struct type_key, 1); /* as long as the key: for ever */
    *key = (struct type_key){copy_fn, delete_fn, extra_state};
    return PMPI_Type_create_keyval(copied, deleted, keyval, key);
}

int dialect_type_copy(MPI_Datatype type, MPI_Datatype *copy)
{
    DIALECT_AWAY;
    failed = MPI_SUCCESS;
    int code = PMPI_Type_dup(type, copy);
    if (code == MPI_SUCCESS && failed != MPI_SUCCESS) PMPI_Type_free(copy);
    return code == MPI_SUCCESS ? failed : code;
}
