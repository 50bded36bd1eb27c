/* stream: follows several ascending streams at once, prefetch.depth lines ahead of each.
 *
 * The second line in a row makes a stream. From then on each line read asks memory for the one that
 * lies prefetch.depth further, so a line is there a memory time after the one that far before it
 * was read: memory's latency is spread over that many lines. A stream ends at a page of 4 KiB,
 * since the next page may lie anywhere. Of more streams than there is room for, that not used for
 * longest is forgotten. Left out: descending streams, strides, lines that are fetched and never
 * used.
 */
#include "mem/prefetch/prefetch.h"

static void init(struct mem_prefetcher *p)
{
    p->stream = g_new0(struct mem_stream, p->streams);
    for (uint32_t i = 0; i < p->streams; i++) {
        p->stream[i].next = MEM_PREFETCH_NOTHING;
        p->stream[i].read = g_new0(int64_t, p->depth);
    }
}

/* The stream that the line continues, else a new one in the place of the oldest. */
static struct mem_stream *stream_of(const struct mem_prefetcher *p, uint64_t line)
{
    struct mem_stream *oldest = p->stream;
    for (uint32_t i = 0; i < p->streams; i++) {
        if (p->stream[i].next == line) return &p->stream[i];
        if (p->stream[i].used < oldest->used) oldest = &p->stream[i];
    }
    oldest->run = 0;
    return oldest;
}

static bool read_line(struct mem_prefetcher *p, uint64_t line, int64_t now, int64_t ticks,
                      int64_t *there)
{
    struct mem_stream *s = stream_of(p, line);
    if (line >> p->page_shift << p->page_shift == line) s->run = 0;
    bool ahead = s->run >= 2;
    if (ahead) *there = s->read[(line - MIN(p->depth, s->run - 1)) % p->depth] + ticks;
    s->read[line % p->depth] = now;
    s->run = MIN(s->run + 1, p->depth + 1);
    s->next = line + 1;
    s->used = ++p->reads;
    return ahead;
}

const struct mem_prefetch mem_prefetch_stream = {
    .name = "stream",
    .doc = "Several ascending streams of lines are read ahead, each to a page's end.",
    .source = "Intel 64 and IA-32 Architectures Optimization Reference Manual: the streamer; "
              "Palacharla and Kessler, ISCA 1994",
    .init = init,
    .read = read_line,
};
