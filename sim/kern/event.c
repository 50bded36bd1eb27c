/* A binary heap in a GArray: GLib has no priority queue. */
#include "kern/event.h"

static bool before(const struct kern_event *a, const struct kern_event *b)
{
    if (a->time_s != b->time_s) return a->time_s < b->time_s;
    if (a->turn != b->turn) return a->turn < b->turn;
    return a->rank != b->rank ? a->rank < b->rank : a->number < b->number;
}

void kern_events_add(struct kern_events *events, double time_s, int turn, int rank,
                     const struct kern_cause *cause, kern_handler handle, void *data)
{
    if (!events->heap) events->heap = g_array_new(FALSE, FALSE, sizeof(struct kern_event));
    struct kern_event event = {time_s, turn, rank, events->made++, handle, data, cause};
    g_array_append_val(events->heap, event);
    struct kern_event *h = (struct kern_event *)(void *)events->heap->data;
    guint i = events->heap->len - 1;
    while (i > 0 && before(&event, &h[(i - 1) / 2])) {
        h[i] = h[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h[i] = event;
}

const struct kern_event *kern_events_first(const struct kern_events *events)
{
    if (!events->heap || events->heap->len == 0) return NULL;
    return (const struct kern_event *)(const void *)events->heap->data;
}

struct kern_event kern_events_take(struct kern_events *events)
{
    struct kern_event *h = (struct kern_event *)(void *)events->heap->data;
    struct kern_event first = h[0], last = h[events->heap->len - 1];
    guint n = events->heap->len - 1, i = 0;
    g_array_set_size(events->heap, n);
    while (2 * i + 1 < n) {
        guint child = 2 * i + 1;
        if (child + 1 < n && before(&h[child + 1], &h[child])) child++;
        if (!before(&h[child], &last)) break;
        h[i] = h[child];
        i = child;
    }
    if (n > 0) h[i] = last;
    return first;
}

void kern_events_clear(struct kern_events *events)
{
    while (kern_events_first(events)) kern_cause_unref(kern_events_take(events).cause);
    if (events->heap) g_array_free(events->heap, TRUE);
    *events = (struct kern_events){0};
}
