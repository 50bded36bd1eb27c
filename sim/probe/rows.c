/* rows: which row of the profile an access belongs to, of its place and of the object that has the
 * byte. Looked up here where the processor does not have it at hand. What it keeps is right until
 * an address belongs to something else (mem_forget_rows). */
#include "world/block/block.h"
#include "world/object/object.h"
#include "probe/access.h"

#include <errno.h>

enum { NEXT = 256 }; /* what is not further on than that goes on upwards, it seems */

/* Of a block outside of all segments, which may lie in blocks, too. NULL: it is in none. */
static inline struct profile_stall *in_block(struct mem_cpu *cpu, const struct mem_row *known,
                                             uintptr_t addr, uintptr_t pc, uintptr_t key)
{
    const uintptr_t low = cpu->foreign.low;
    if (addr - low < cpu->foreign.bytes) return NULL;
    const bool here = known->pc == key, next = here && addr - (known->from + known->bytes) < NEXT;
    struct world_block_part part = world_block_part(addr, next);
    if (!part.object) return NULL;
    struct profile_stall *row = here && known->row->object == part.object
                                    ? known->row
                                    : profile_row_of(mem_place(cpu, pc), part.object);
    if (low - part.from < part.bytes) { /* cut down to one side of the segments */
        const uintptr_t end = low + cpu->foreign.bytes, to = part.from + part.bytes;
        if (addr >= end) part.from = end;
        part.bytes = (addr < low ? low : to) - part.from;
    }
    mem_know_row(cpu, key, row, part.from, part.bytes);
    return row;
}

static __attribute__((noinline)) struct profile_stall *look_up(struct mem_cpu *cpu, uintptr_t addr,
                                                               uintptr_t pc, uintptr_t key)
{
    const int kept = errno;
    const unsigned floating = base_sse_begin();
    const op_site site = mem_place(cpu, pc);
    const struct world_piece piece = world_object(cpu, addr, site);
    struct profile_stall *row = profile_row_of(site, piece.row);
    mem_know_row(cpu, key, row, piece.from, piece.to - piece.from);
    base_sse_end(floating);
    errno = kept;
    return row;
}

/* A library's loads and stores have one place: where the program called it. */
struct profile_stall *probe_row(struct mem_cpu *cpu, uintptr_t addr, uintptr_t pc, bool store)
{
    const uintptr_t key = store ? ~pc : pc;
    struct mem_row *known = &cpu->row[mem_row_number(key)];
    if (known->pc == key && addr - known->from < known->bytes) return known->row;
    struct profile_stall *row = in_block(cpu, known, addr, pc, key);
    return row ? row : look_up(cpu, addr, pc, key);
}
