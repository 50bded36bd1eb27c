/* Processes that a program would start or meet: there are none but the ranks of the run. */
#include "dialect/mpi/comm/comm.h"

int MPI_Comm_get_parent(MPI_Comm *parent)
{
    *parent = MPI_COMM_NULL; /* nobody started this rank by MPI_Comm_spawn */
    return MPI_SUCCESS;
}

static int refuse(const char *call, uintptr_t pc, MPI_Comm comm, int class)
{
    struct world_rank *r = world_enter(call, pc);
    if (!r) return MPI_ERR_OTHER;
    int code = dialect_error(r, comm, call, class,
                             "processes that come later are not simulated: all ranks of a run are "
                             "there when it begins");
    world_leave(r);
    return code;
}

int MPI_Comm_spawn(const char *command, char **argv, int maxprocs, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *intercomm, int *array_of_errcodes)
{
    (void)command, (void)argv, (void)info, (void)root;
    *intercomm = MPI_COMM_NULL;
    for (int i = 0; array_of_errcodes != MPI_ERRCODES_IGNORE && i < maxprocs; i++)
        array_of_errcodes[i] = MPI_ERR_SPAWN;
    return refuse(__func__, DIALECT_PC, comm, MPI_ERR_SPAWN);
}

int MPI_Comm_spawn_multiple(int count, char **array_of_commands, char ***array_of_argv,
                            int *array_of_maxprocs, MPI_Info *array_of_info, int root,
                            MPI_Comm comm, MPI_Comm *intercomm, int *array_of_errcodes)
{
    (void)count, (void)array_of_commands, (void)array_of_argv, (void)array_of_maxprocs;
    (void)array_of_info, (void)root, (void)array_of_errcodes;
    *intercomm = MPI_COMM_NULL;
    return refuse(__func__, DIALECT_PC, comm, MPI_ERR_SPAWN);
}

int MPI_Open_port(MPI_Info info, char *port_name)
{
    (void)info, (void)port_name;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_PORT);
}

int MPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                    MPI_Comm *newcomm)
{
    (void)port_name, (void)info, (void)root, (void)newcomm;
    return refuse(__func__, DIALECT_PC, comm, MPI_ERR_PORT);
}

int MPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                     MPI_Comm *newcomm)
{
    (void)port_name, (void)info, (void)root, (void)newcomm;
    return refuse(__func__, DIALECT_PC, comm, MPI_ERR_PORT);
}

int MPI_Comm_join(int fd, MPI_Comm *intercomm)
{
    (void)fd, (void)intercomm;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_PORT);
}

int MPI_Lookup_name(char *service_name, MPI_Info info, char *port_name)
{
    (void)service_name, (void)info, (void)port_name;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_NAME);
}

int MPI_Publish_name(char *service_name, MPI_Info info, char *port_name)
{
    (void)service_name, (void)info, (void)port_name;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_SERVICE);
}

int MPI_Unpublish_name(char *service_name, MPI_Info info, char *port_name)
{
    (void)service_name, (void)info, (void)port_name;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_SERVICE);
}

int MPI_Close_port(const char *port_name)
{
    (void)port_name;
    return refuse(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_PORT);
}

/* A copy at once: the others have to call it, too. */
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct world_rank *r = world_enter(__func__, DIALECT_PC);
    int code;
    if (!r) return MPI_ERR_OTHER;
    const bool inter = dialect_inter_of(r, comm) != NULL;
    *request = MPI_REQUEST_NULL;
    code = inter ? dialect_inter_dup(r, comm, newcomm) : PMPI_Comm_dup(comm, newcomm);
    if (code == MPI_SUCCESS && !inter)
        dialect_comm_made(r, *newcomm);
    else if (code != MPI_SUCCESS)
        dialect_refused(r, comm, __func__, code);
    world_leave(r);
    return code;
}
