/* Records as they come, the head at last. */
#include "kern/graph/graph.h"

#include "kern/graph_format/graph_format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool kern_graph_on;

static FILE *out;
static char *name;
static uint32_t records;

static bool not_written(GError **error)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: %s", name, g_strerror(errno));
    return false;
}

bool kern_graph_open(const char *file, GError **error)
{
    const struct graph_head none = {.magic = {0}};
    g_free(name);
    name = g_strdup(file);
    records = 0;
    out = fopen(file, "wb");
    kern_graph_on = out && fwrite(&none, sizeof none, 1, out) == 1;
    return kern_graph_on || not_written(error);
}

/* The largest, if there are too many; the others are of nothing. */
static void take_parts(struct graph_record *record, const struct kern_parts_list *parts)
{
    for (int i = 0; parts && i < parts->parts; i++) {
        const struct kern_part *part = &parts->part[i];
        int at = record->parts;
        if (at == GRAPH_PARTS) {
            at = 0;
            for (int j = 1; j < GRAPH_PARTS; j++)
                if (record->part_s[j] < record->part_s[at]) at = j;
            if (record->part_s[at] >= part->time_s) continue;
        } else {
            record->parts++;
        }
        record->part[at] = (uint8_t)kern_parts_number(part->of);
        record->part_s[at] = (float)part->time_s;
    }
}

/* kern_graph_close asks whether it could be written. */
static kern_date put(const struct graph_record *record)
{
    if (records == UINT32_MAX) return records;
    fwrite(record, sizeof *record, 1, out);
    return ++records;
}

kern_date kern_graph_add(const struct kern_graph_step *step)
{
    if (!kern_graph_on) return 0;
    const uint32_t at = records + 1;
    struct graph_record record = {.length_s = step->length_s > 0 ? step->length_s : 0,
                                  .after = at - step->after,
                                  .also = step->also ? at - step->also : 0};
    if (step->rank >= 0 && step->rank < UINT16_MAX) record.rank = (uint16_t)(step->rank + 1);
    take_parts(&record, step->parts);
    return put(&record);
}

kern_date kern_graph_part(kern_date after, double seconds, const double *of)
{
    if (!kern_graph_on || seconds <= 0) return after;
    const struct graph_record record = {
        .after = records + 1 - after,
        .length_s = seconds,
        .part = {(uint8_t)kern_parts_number(of)},
        .part_s = {(float)seconds},
        .parts = 1,
    };
    return put(&record);
}

kern_date kern_graph_later(kern_date a, kern_date b)
{
    if (a == b || !a || !b) return MAX(a, b);
    return kern_graph_add(
        &(struct kern_graph_step){.after = MAX(a, b), .also = MIN(a, b), .rank = -1});
}

bool kern_graph_close(kern_date end, double end_s, const char *text, GError **error)
{
    const struct graph_head head = {
        .magic = GRAPH_MAGIC, .records = records, .end = end, .end_s = end_s, .text = strlen(text)};
    kern_graph_on = false;
    if (records == UINT32_MAX) errno = EFBIG;
    bool good = records < UINT32_MAX && fputs(text, out) >= 0 && fseek(out, 0, SEEK_SET) == 0 &&
                fwrite(&head, sizeof head, 1, out) == 1 && !ferror(out);
    good = fclose(out) == 0 && good;
    out = NULL;
    if (!good) not_written(error);
    if (!good) unlink(name);
    g_clear_pointer(&name, g_free);
    return good;
}
