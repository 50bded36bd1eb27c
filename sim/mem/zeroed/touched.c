/* touched: which pages of a range the host keeps bytes for; the others hold zeros, and reading them
 * would make the host map them. The kernel lists them (/proc/self/pagemap); where it does not, and
 * in ranges that are short or not private and anonymous, all count as touched. */
#include "mem/zeroed/zeroed.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4096, LONG = 4 << 20 };

/* Private and backed by no file: pages that are not there hold zeros. */
static bool anonymous(uintptr_t from, uintptr_t to)
{
    char line[512], flags[8];
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return false;
    while (from < to && fgets(line, sizeof line, maps)) {
        unsigned long begin, end, inode;
        if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &begin, &end, flags, &inode) != 4) continue;
        if (end <= from) continue;
        if (from < begin || inode || flags[0] != 'r' || flags[3] != 'p') break;
        from = end;
    }
    fclose(maps);
    return from >= to;
}

struct mem_touched mem_touched_in(uintptr_t from, uint64_t bytes)
{
    struct mem_touched t = {.at = from, .to = from + bytes, .pagemap = -1};
    if (bytes >= LONG && anonymous(from, from + bytes))
        t.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (t.pagemap < 0) mem_zeroed_read((const void *)from, bytes);
    return t;
}

static void ended(struct mem_touched *t)
{
    if (t->pagemap >= 0) close(t->pagemap);
    t->pagemap = -1;
}

bool mem_touched_next(struct mem_touched *t, uintptr_t *from, uintptr_t *to)
{
    static uint64_t entry[PAGES];
    const uint64_t there = UINT64_C(3) << 62; /* present, or swapped out */
    while (t->at < t->to && t->pagemap >= 0) {
        uintptr_t first = t->at / PAGE, n = MIN((t->to - 1) / PAGE - first + 1, PAGES), i = 0;
        ssize_t got = pread(t->pagemap, entry, n * sizeof *entry, (off_t)(first * sizeof *entry));
        if (got != (ssize_t)(n * sizeof *entry)) {
            ended(t); /* all of the rest */
            break;
        }
        while (i < n && !(entry[i] & there)) i++;
        if (i) t->at = (first + i) * PAGE;
        if (i == n) continue;
        *from = t->at;
        while (i < n && entry[i] & there) i++;
        *to = t->at = MIN((first + i) * PAGE, t->to);
        return true;
    }
    *from = t->at;
    *to = t->at = MAX(t->at, t->to);
    ended(t);
    return *from < *to;
}
