/* Files: not simulated. Every MPI_File_X returns an error (generate.awk writes those that are not
 * here); the first open says so, for the default handler of files returns (MPI-2 9.7). */
#include "world/place/place.h"
#include "dialect/mpi/call/call.h"

int dialect_no_file(const char *call, uintptr_t pc)
{
    static bool said;
    struct world_rank *r = world_enter(call, pc);
    if (!r) return MPI_ERR_OTHER;
    if (!said)
        world_say("rank %d: %s at %s: files are not simulated, so every MPI_File call returns "
                  "MPI_ERR_UNSUPPORTED_OPERATION",
                  r->rank, call, world_where(r));
    said = true;
    world_leave(r);
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    (void)comm, (void)filename, (void)amode, (void)info;
    *fh = MPI_FILE_NULL;
    return dialect_no_file(__func__, DIALECT_PC);
}
