/* Error classes and codes that a program adds to those of MPI.
 *
 * The calls are local: each rank has its own, numbered from behind MPI_ERR_LASTCODE. SMPI 3.32
 * declares these calls and gives no number.
 */
#include "dialect/mpi/call/call.h"

/* one number: a class is a code of its own */
struct added {
    int class;
    char *text;
};

enum { FIRST = MPI_ERR_LASTCODE + 1 };

static GArray *added_by(struct world_rank *rank)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!state->codes) state->codes = g_array_new(FALSE, FALSE, sizeof(struct added));
    return state->codes;
}

/* NULL: not one of the program's. */
static struct added *find(struct world_rank *rank, int code)
{
    if (!rank || code < FIRST) return NULL;
    GArray *codes = added_by(rank);
    return (guint)(code - FIRST) < codes->len ? &g_array_index(codes, struct added, code - FIRST)
                                              : NULL;
}

static bool is_predefined(int code) { return code >= 0 && code <= MPI_T_ERR_PVAR_NO_ATOMIC; }

static int last_used(struct world_rank *rank) { return FIRST - 1 + (int)added_by(rank)->len; }

static int add(struct world_rank *rank, int class)
{
    struct added made = {class, g_strdup("")}; /* until it is given one */
    const int code = FIRST + (int)added_by(rank)->len;
    if (class < 0) made.class = code;
    g_array_append_val(added_by(rank), made);
    return code;
}

static int unknown(const char *call, int code, const char *what)
{
    return dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_ARG, "%d is not an error %s",
                         code, what);
}

int MPI_Add_error_class(int *errorclass)
{
    struct world_rank *r = world_here();
    if (!r) return MPI_ERR_OTHER;
    *errorclass = add(r, -1);
    return MPI_SUCCESS;
}

int MPI_Add_error_code(int errorclass, int *errorcode)
{
    struct world_rank *r = world_here();
    if (!r) return MPI_ERR_OTHER;
    const struct added *own = find(r, errorclass);
    if (own ? own->class != errorclass : !is_predefined(errorclass))
        return unknown(__func__, errorclass, "class");
    *errorcode = add(r, errorclass);
    return MPI_SUCCESS;
}

/* Texts of MPI's own codes stay. */
int MPI_Add_error_string(int errorcode, char *string)
{
    struct added *own = find(world_here(), errorcode);
    if (!own) return unknown(__func__, errorcode, "code of the program's own");
    g_free(own->text);
    own->text = g_strndup(string, MPI_MAX_ERROR_STRING - 1);
    return MPI_SUCCESS;
}

/* SMPI reads past its table for a code that is none. */
int MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    const struct added *own = find(world_here(), errorcode);
    if (own) {
        *resultlen = (int)g_strlcpy(string, own->text, MPI_MAX_ERROR_STRING);
        return MPI_SUCCESS;
    }
    if (!is_predefined(errorcode)) return unknown(__func__, errorcode, "code");
    DIALECT_AWAY;
    return PMPI_Error_string(errorcode, string, resultlen);
}

int MPI_Error_class(int errorcode, int *errorclass)
{
    const struct added *own = find(world_here(), errorcode);
    *errorclass = own ? own->class : errorcode;
    return MPI_SUCCESS;
}

int *dialect_last_used_code(struct world_rank *rank)
{
    struct dialect_rank *state = dialect_rank(rank);
    state->last_used_code = last_used(rank);
    return &state->last_used_code;
}
