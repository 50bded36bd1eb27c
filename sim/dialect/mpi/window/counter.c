/* Counters: windows of one integer at each member that has one, kept in a fetch-and-increment
 * register of its interface (ni.counters). A program asks for them by the info key
 * "sidewinder_counter" = "true" of MPI_Win_allocate; a machine that has no such registers ignores
 * the key, as MPI has it. The registers only read, add one and are set: other operations are
 * errors. */
#include "dialect/mpi/window/window.h"
#include "dialect/mpi/reduce/reduce.h"
#include "sync/machine/machine.h"

#include <string.h>

bool dialect_counter_asked(MPI_Info info)
{
    return info != MPI_INFO_NULL && sync_counters() > 0 &&
           dialect_info_is(info, "sidewinder_counter", "true");
}

int dialect_counter_take(struct dialect_win *w, const char **what)
{
    struct dialect_rank *mine = dialect_rank(w->rank);
    if (!w->counter || w->bytes == 0) return MPI_SUCCESS;
    if (w->bytes != 4 && w->bytes != 8) {
        *what = "a counter is one integer, of 4 or 8 bytes";
        return MPI_ERR_SIZE;
    }
    if (mine->counters == sync_counters()) {
        *what = "all fetch-and-increment registers of this rank are in use (ni.counters has their "
                "number)";
        return MPI_ERR_NO_MEM;
    }
    mine->counters++;
    w->registered = true;
    return MPI_SUCCESS;
}

void dialect_counter_leave(const struct dialect_win *w)
{
    if (w->registered) dialect_rank(w->rank)->counters--;
}

static int64_t value_of(const void *number, uint64_t bytes)
{
    int32_t small;
    int64_t large;
    if (bytes == sizeof large) return memcpy(&large, number, sizeof large), large;
    return memcpy(&small, number, sizeof small), small;
}

/* Of all predefined datatypes only integers have both a sum and bitwise operations. */
static bool is_integer(MPI_Datatype basic)
{
    move_combine combine;
    const void *arg;
    return basic != MPI_DATATYPE_NULL && dialect_combine(MPI_SUM, basic, &combine, &arg) &&
           dialect_combine(MPI_BAND, basic, &combine, &arg);
}

int dialect_counter_allows(struct dialect_win *w, const char *call, int target, MPI_Op op,
                           MPI_Datatype basic, const void *number, uint64_t bytes)
{
    const bool fetch = strcmp(call, "MPI_Fetch_and_op") == 0;
    if (!w->counter || target == MPI_PROC_NULL) return MPI_SUCCESS;
    if (!fetch || (op != MPI_SUM && op != MPI_NO_OP && op != MPI_REPLACE))
        return dialect_win_error(w, call, MPI_ERR_OP,
                                 "a counter's window allows MPI_Fetch_and_op only, with a sum of "
                                 "1, MPI_NO_OP or MPI_REPLACE");
    if (!is_integer(basic))
        return dialect_win_error(w, call, MPI_ERR_TYPE,
                                 "the counter is an integer, and the datatype is of none");
    if (bytes != sync_win_bytes(w->sync, target))
        return dialect_win_error(w, call, MPI_ERR_TYPE,
                                 "the counter is an integer of %" G_GUINT64_FORMAT
                                 " bytes, the datatype has %" G_GUINT64_FORMAT,
                                 sync_win_bytes(w->sync, target), bytes);
    if (op == MPI_SUM && value_of(number, bytes) != 1)
        return dialect_win_error(w, call, MPI_ERR_OP, "a counter adds 1, not %" G_GINT64_FORMAT,
                                 value_of(number, bytes));
    return MPI_SUCCESS;
}
