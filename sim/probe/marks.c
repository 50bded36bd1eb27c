/* Marks of functions (instrument/mark.cc): each does nothing, until they are made jumps to their
 * stubs because a profile is written. A rank's copy of the program has marks of its own.
 *
 * Left out: programs whose code may not be changed (mprotect refuses): their profile has no chains.
 */
#include "world/chain/chain.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    JUMP_BYTES = 5,
    JUMP = 0xe9,
    STUB_REST = 8
}; /* of the stub, between its call and its jump */

static bool allow(uintptr_t from, uintptr_t to, int rights)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    from &= ~page;
    return mprotect((void *)from, ((to + page) & ~page) - from, rights) == 0;
}

static uintptr_t mark_of(const struct probe_mark *m)
{
    return (uintptr_t)&m->at + (uintptr_t)m->at;
}

void probe_marks(const struct probe_mark *first, const struct probe_mark *end)
{
    if (!world_simulated() || !profile_chains_on || first == end) return;
    uintptr_t lowest = UINTPTR_MAX, highest = 0;
    for (const struct probe_mark *m = first; m < end; m++) {
        lowest = MIN(lowest, mark_of(m));
        highest = MAX(highest, mark_of(m) + JUMP_BYTES);
    }
    if (!allow(lowest, highest, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
    for (const struct probe_mark *m = first; m < end; m++) {
        const uintptr_t stub = (uintptr_t)&m->stub + (uintptr_t)m->stub;
        const int32_t way = (int32_t)(stub - (mark_of(m) + JUMP_BYTES));
        uint8_t *code = (uint8_t *)mark_of(m); /* an address in the program */
        code[0] = JUMP;
        memcpy(code + 1, &way, sizeof way);
    }
    allow(lowest, highest, PROT_READ | PROT_EXEC);
}

/* Where the stub goes back to: behind the mark. */
static uintptr_t back(uintptr_t stub)
{
    int32_t way;
    memcpy(&way, (const uint8_t *)stub + STUB_REST + 1, sizeof way);
    return stub + STUB_REST + JUMP_BYTES + (uintptr_t)(intptr_t)way;
}

void probe_hook_mark(int kind, int function, uintptr_t stub, uintptr_t stack, uintptr_t base)
{
    const struct profile_frame at = {function, stack};
    const int error = errno;
    if (kind == PROBE_ENTER)
        world_chain_enter(back(stub), at, base);
    else if (kind == PROBE_LEAVE)
        world_chain_leave(at);
    else
        world_chain_resume(at);
    errno = error;
}
