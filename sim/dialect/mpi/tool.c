/* MPI's interface for tools (MPI-4.1 chapter 15): there are no variables and no categories, so
 * every index, name and handle is wrong. A program may ask before MPI_Init and after MPI_Finalize:
 * nothing is entered. */
#include "dialect/mpi/call/call.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NONE(call, parameters, class)                                                              \
    int MPI_T_##call parameters { return class; }

int MPI_T_init_thread(int required, int *provided)
{
    if (provided) *provided = MPI_THREAD_SINGLE;
    return MPI_SUCCESS;
}

int MPI_T_finalize(void) { return MPI_SUCCESS; }

NONE(enum_get_info, (MPI_T_enum enumtype, int *num, char *name, int *name_len),
     MPI_T_ERR_INVALID_ITEM)
NONE(enum_get_item, (MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len),
     MPI_T_ERR_INVALID_ITEM)

int MPI_T_cvar_get_num(int *num_cvar)
{
    if (num_cvar) *num_cvar = 0;
    return MPI_SUCCESS;
}

NONE(cvar_get_info,
     (int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
      MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope),
     MPI_T_ERR_INVALID_INDEX)
NONE(cvar_get_index, (const char *name, int *cvar_index), MPI_T_ERR_INVALID_NAME)
NONE(cvar_handle_alloc, (int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count),
     MPI_T_ERR_INVALID_INDEX)
NONE(cvar_handle_free, (MPI_T_cvar_handle * handle), MPI_T_ERR_INVALID_HANDLE)
NONE(cvar_read, (MPI_T_cvar_handle handle, void *buf), MPI_T_ERR_INVALID_HANDLE)
NONE(cvar_write, (MPI_T_cvar_handle handle, const void *buf), MPI_T_ERR_INVALID_HANDLE)

int MPI_T_pvar_get_num(int *num_pvar)
{
    if (num_pvar) *num_pvar = 0;
    return MPI_SUCCESS;
}

NONE(pvar_get_info,
     (int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
      MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
      int *readonly, int *continuous, int *atomic),
     MPI_T_ERR_INVALID_INDEX)
NONE(pvar_get_index, (const char *name, int var_class, int *pvar_index), MPI_T_ERR_INVALID_NAME)

static char any_session;

int MPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    *session = (MPI_T_pvar_session)(void *)&any_session;
    return MPI_SUCCESS;
}

int MPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    if (*session == MPI_T_PVAR_SESSION_NULL) return MPI_T_ERR_INVALID_SESSION;
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

NONE(pvar_handle_alloc,
     (MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
      int *count),
     MPI_T_ERR_INVALID_INDEX)
NONE(pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle *handle),
     MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf),
     MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf),
     MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), MPI_T_ERR_INVALID_HANDLE)
NONE(pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf),
     MPI_T_ERR_INVALID_HANDLE)

int MPI_T_category_get_num(int *num_cat)
{
    if (num_cat) *num_cat = 0;
    return MPI_SUCCESS;
}

NONE(category_get_info,
     (int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
      int *num_pvars, int *num_categories),
     MPI_T_ERR_INVALID_INDEX)
NONE(category_get_index, (const char *name, int *cat_index), MPI_T_ERR_INVALID_NAME)
NONE(category_get_cvars, (int cat_index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)
NONE(category_get_pvars, (int cat_index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)
NONE(category_get_categories, (int cat_index, int len, int indices[]), MPI_T_ERR_INVALID_INDEX)

int MPI_T_category_changed(int *update_number)
{
    if (update_number) *update_number = 0;
    return MPI_SUCCESS;
}
