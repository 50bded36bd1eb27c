/* A pair of accesses as a word, for another run. */
#include "check/check.h"

#include <stdio.h>

char *check_pair_text(const struct check_pair *pair)
{
    const struct check_pair_side *a = &pair->side[0], *b = &pair->side[1];
    return g_strdup_printf("%d.%d.%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT
                           ":%d.%d.%" G_GINT64_MODIFIER "x.%" G_GUINT64_FORMAT
                           ":%d.%d.%" G_GINT64_MODIFIER "x.%" G_GUINT64_FORMAT,
                           pair->window, pair->owner, (guint64)pair->offset, (guint64)pair->bytes,
                           a->rank, (int)a->kind, (guint64)a->site, (guint64)a->times, b->rank,
                           (int)b->kind, (guint64)b->site, (guint64)b->times);
}

bool check_pair_read(const char *text, struct check_pair *pair)
{
    guint64 offset, bytes, site[2], times[2];
    int rank[2], kind[2], end = 0;
    *pair = (struct check_pair){0};
    if (sscanf(text,
               "%d.%d.%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT ":%d.%d.%" G_GINT64_MODIFIER
               "x.%" G_GUINT64_FORMAT ":%d.%d.%" G_GINT64_MODIFIER "x.%" G_GUINT64_FORMAT "%n",
               &pair->window, &pair->owner, &offset, &bytes, &rank[0], &kind[0], &site[0],
               &times[0], &rank[1], &kind[1], &site[1], &times[1], &end) != 12 ||
        text[end])
        return false;
    pair->offset = offset;
    pair->bytes = bytes;
    for (int s = 0; s < 2; s++) {
        if (kind[s] < 0 || kind[s] >= CHECK_KINDS) return false;
        pair->side[s] =
            (struct check_pair_side){rank[s], (enum check_kind)kind[s], site[s], times[s]};
    }
    return true;
}

struct check_pair check_pair_of(const struct check_finding *f)
{
    return (struct check_pair){.window = f->window,
                               .owner = f->window < 0 ? -1 : f->owner,
                               .offset = f->window < 0 ? 0 : f->offset,
                               .bytes = f->bytes,
                               .side = {{f->first.rank, f->first.kind, f->first.site, 0},
                                        {f->then.rank, f->then.kind, f->then.site, 0}}};
}
