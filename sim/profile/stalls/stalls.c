/* stalls: the misses of a row that are looked at: see stalls.h. */
#include "profile/stalls/stalls.h"

void profile_look(struct profile_stall *row, int rank, uintptr_t addr)
{
    if (row->looked > 0 && row->of != rank) {
        if (row->missed[0] - row->look < PROFILE_SOON) return;
        row->looked = 0; /* that one is elsewhere by now */
    }
    const uintptr_t step = addr - row->at;
    const bool third = row->looked >= 2;
    row->of = rank;
    row->steps += third;
    if (third && step == row->step) {
        row->alike++;
        row->usual = step;
    }
    if ((addr ^ row->kept) < PROFILE_LINE) {
        row->again++;
        row->until += row->missed[0] - row->kept_at;
        row->kept_at = row->missed[0];
    } else if (row->missed[0] - row->kept_at > PROFILE_SOON || !row->kept) {
        row->keeps++;
        row->kept = addr;
        row->kept_at = row->missed[0];
    }
    row->at = addr;
    row->step = step;
    if (++row->looked < PROFILE_LOOKS) return;
    row->looked = 0;
    row->look = (row->missed[0] | 63) + 1;
}
