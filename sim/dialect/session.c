/* Sessions (MPI-4.0 11.3). All ranks are there from the beginning, in two sets: mpi://WORLD and
 * mpi://SELF. The last session ends MPI for good, unless MPI_Init has been called: another one
 * behind it is refused.
 */
#include "dialect/session.h"

#include <string.h>

struct sidewinder_session {
    MPI_Errhandler errhandler;
};

static const char *const sets[] = {"mpi://WORLD", "mpi://SELF"};

/* ---- life ------------------------------------------------------------------------------------ */

int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    (void)info;
    DIALECT_NO_NULL(session, MPI_ERR_ARG);
    const bool again = dialect_begin();
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    int code = dialect_session_begins(r, __func__, again);
    if (code == MPI_SUCCESS) {
        *session = g_new(struct sidewinder_session, 1);
        **session = (struct sidewinder_session){errhandler};
    }
    world_leave(r);
    return code;
}

int MPI_Session_finalize(MPI_Session *session)
{
    DIALECT_NO_NULL(session, MPI_ERR_ARG);
    DIALECT_NO_NULL(*session, MPI_ERR_SESSION);
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    if (!r) return MPI_ERR_OTHER;
    g_clear_pointer(session, g_free);
    int code = dialect_session_ends(r);
    world_leave(r);
    return code;
}

int MPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    session->errhandler = errhandler;
    return MPI_SUCCESS;
}

int MPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(errhandler, MPI_ERR_ARG);
    *errhandler = session->errhandler;
    return MPI_SUCCESS;
}

/* ---- what there is --------------------------------------------------------------------------- */

int MPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    (void)info;
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(npset_names, MPI_ERR_ARG);
    *npset_names = (int)G_N_ELEMENTS(sets);
    return MPI_SUCCESS;
}

int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len,
                             char *pset_name)
{
    (void)info;
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(pset_len, MPI_ERR_ARG);
    if (n < 0 || n >= (int)G_N_ELEMENTS(sets))
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_ARG,
                             "there is no process set %d, only 0 and 1", n);
    if (*pset_len > 0 && pset_name) g_strlcpy(pset_name, sets[n], (gsize)*pset_len);
    *pset_len = (int)strlen(sets[n]) + 1;
    return MPI_SUCCESS;
}

/* Its ranks; MPI_COMM_NULL: there is no such set, which has been told. */
static MPI_Comm set_of(const char *call, const char *name)
{
    for (size_t i = 0; name && i < G_N_ELEMENTS(sets); i++)
        if (g_ascii_strcasecmp(name, sets[i]) == 0) return i == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_ARG,
                  "there is no process set \"%s\": accepted are %s and %s", name ? name : "",
                  sets[0], sets[1]);
    return MPI_COMM_NULL;
}

static int info_of(const char *key, const char *value, MPI_Info *info)
{
    const int code = MPI_Info_create(info);
    return code == MPI_SUCCESS ? MPI_Info_set(*info, key, value) : code;
}

int MPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    char size[16];
    int ranks;
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(info, MPI_ERR_ARG);
    const MPI_Comm set = set_of(__func__, pset_name);
    if (set == MPI_COMM_NULL) return MPI_ERR_ARG;
    MPI_Comm_size(set, &ranks);
    g_snprintf(size, sizeof size, "%d", ranks);
    return info_of("mpi_size", size, info);
}

int MPI_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(info_used, MPI_ERR_ARG);
    return info_of("thread_level", "MPI_THREAD_FUNNELED", info_used);
}

/* ---- from a set to a communicator ------------------------------------------------------------ */

int MPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    DIALECT_NO_NULL(session, MPI_ERR_SESSION);
    DIALECT_NO_NULL(newgroup, MPI_ERR_ARG);
    const MPI_Comm set = set_of(__func__, pset_name);
    return set == MPI_COMM_NULL ? MPI_ERR_ARG : MPI_Comm_group(set, newgroup);
}

int MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info,
                               MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    (void)stringtag, (void)info;
    DIALECT_NO_NULL(newcomm, MPI_ERR_ARG);
    dialect_fortran_pc = DIALECT_PC;
    const int code = MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, newcomm);
    if (code == MPI_SUCCESS && *newcomm != MPI_COMM_NULL && errhandler != MPI_ERRHANDLER_NULL)
        MPI_Comm_set_errhandler(*newcomm, errhandler);
    return code;
}
