/* memory: may the program's memory be read, or written, at these addresses? A call that gets what
 * may not be is refused, instead of the whole run dying of it in the middle of a transfer. */
#include "dialect/mpi/window/window.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, KNOWN = 4096 };

bool dialect_there(const void *base, uint64_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)base & ~(page - 1);
    /* MS_ASYNC does nothing but look at the mappings */
    return bytes <= SIZE_MAX / 2 &&
           (msync((void *)begin, (uintptr_t)base - begin + bytes, MS_ASYNC) == 0 ||
            errno != ENOMEM);
}

/* The kernel ors nothing to the first word of the page, atomically. */
static bool page_writable(uintptr_t page)
{
    static uint32_t nobody_waits;
    return syscall(SYS_futex, &nobody_waits, FUTEX_WAKE_OP_PRIVATE, 0, NULL, (uint32_t *)page,
                   FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)) >= 0 ||
           errno != EFAULT;
}

static bool writable(uintptr_t from, uintptr_t to)
{
    static uintptr_t known[KNOWN]; /* pages, by their number, that were */
    for (uintptr_t page = from & ~(uintptr_t)(PAGE - 1); page < to; page += PAGE) {
        uintptr_t *slot = &known[page / PAGE % KNOWN];
        if (*slot == page) continue;
        if (!page_writable(page)) return false;
        *slot = page;
    }
    return true;
}

static bool side_writable(uintptr_t base, const struct op_layout *layout)
{
    for (uint32_t i = 0; i < layout->pieces; i++) {
        uintptr_t from = base + (uintptr_t)layout->piece[i].offset;
        if (!writable(from, from + layout->piece[i].bytes)) return false;
    }
    return true;
}

int dialect_read_only(struct dialect_win *w, const struct move_op *op)
{
    bool dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    uintptr_t base = dynamic ? 0 : (uintptr_t)sync_win_base(w->sync, op->target);
    if (op->kind == OP_GET && !side_writable(op->from.addr, &op->from.layout))
        return dialect_win_error(w, op->call, MPI_ERR_BUFFER, "the origin buffer is read-only");
    if (op->kind == OP_GET_ACCUMULATE && !side_writable(op->result.addr, &op->result.layout))
        return dialect_win_error(w, op->call, MPI_ERR_BUFFER, "the result buffer is read-only");
    if (op->kind == OP_GET || side_writable(base + op->to.addr, &op->to.layout)) return MPI_SUCCESS;
    return dialect_win_error(w, op->call, MPI_ERR_RMA_RANGE,
                             "the memory of rank %d's window is read-only", op->target);
}

int dialect_outside(struct dialect_win *w, const char *call, int target, MPI_Aint disp,
                    const struct op_layout *map, uint64_t bytes, int unit)
{
    g_autofree char *scaled = unit == 1 ? g_strdup("") : g_strdup_printf(" of %d bytes", unit);
    g_autofree char *below =
        map->low == 0 ? g_strdup("")
                      : g_strdup_printf(" (the first at %" G_GINT64_FORMAT ")", map->low);
    return dialect_win_error(w, call, MPI_ERR_RMA_RANGE,
                             "displacement %td%s + %" G_GINT64_FORMAT
                             " bytes%s leaves the window of rank %d (%" G_GUINT64_FORMAT " bytes)",
                             disp, scaled, map->high, below, target, bytes);
}
