/* stream: follows several streams at once, prefetch.depth lines ahead of each.
 *
 * The second line in a row, ascending or descending, makes a stream. From then on each line read
 * asks memory for the one that lies prefetch.depth further, so a line is there a memory time after
 * the one that far before it was read: memory's latency is spread over that many lines. A stream
 * ends at a page of 4 KiB, since the next page may lie anywhere. Of more streams than there is room
 * for, that not used for longest is forgotten. Left out: strides, lines that are fetched and never
 * used.
 */
#include "mem/prefetch/prefetch.h"

/* Of lines that continue streams, how many have this number: of most lines read, none has. Log2 of
 * the numbers. */
enum { NUMBERS = 10 };

/* A run of lines side by side; by their order of use they are a ring, the one used last in front.
 */
struct stream {
    uint32_t run;          /* lines read of it before, at most depth + 1 */
    uint32_t newer, older; /* streams */
};
struct mem_streams {
    uint32_t newest;
    uint16_t continued[1 << NUMBERS]; /* streams by the number of their `next` */
    struct stream *stream;
    uint64_t *next; /* the line that continues each; MEM_PREFETCH_NOTHING: no stream */
    uint64_t *back; /* the same downwards; a stream of one line may go either way */
    int64_t *read;  /* when the last `depth` lines of each were read, by the line's lowest bits */
    uint32_t mask;  /* which: entries of each, less one */
};

static uint32_t number_of(uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - NUMBERS));
}

static void init(struct mem_prefetcher *p)
{
    uint32_t n = p->streams;
    struct mem_streams *s = p->state = g_new0(struct mem_streams, 1);
    s->stream = g_new0(struct stream, n);
    s->next = g_new(uint64_t, n);
    s->back = g_new(uint64_t, n);
    while (s->mask + 1 < p->depth) s->mask = 2 * s->mask + 1;
    s->read = g_new0(int64_t, (size_t)n *(s->mask + 1));
    s->newest = n - 1;
    for (uint32_t i = 0; i < n; i++) {
        s->stream[i] = (struct stream){.newer = (i + 1) % n, .older = (i + n - 1) % n};
        s->next[i] = s->back[i] = MEM_PREFETCH_NOTHING;
    }
    s->continued[number_of(MEM_PREFETCH_NOTHING)] = (uint16_t)(2 * n);
}

static void clear(struct mem_prefetcher *p)
{
    struct mem_streams *s = p->state;
    g_free(s->stream);
    g_free(s->next);
    g_free(s->back);
    g_free(s->read);
    g_free(s);
}

static void use(struct mem_streams *s, uint32_t i)
{
    struct stream *stream = s->stream;
    if (i == s->newest) return;
    uint32_t oldest = stream[s->newest].newer;
    if (i != oldest) {
        stream[stream[i].newer].older = stream[i].older;
        stream[stream[i].older].newer = stream[i].newer;
        stream[i].newer = oldest;
        stream[i].older = s->newest;
        stream[oldest].older = stream[s->newest].newer = i;
    }
    s->newest = i;
}

/* The stream that the line continues, else a new one in the place of the oldest. */
static uint32_t stream_of(struct mem_streams *s, uint64_t line, uint32_t streams)
{
    uint32_t continued = s->continued[number_of(line)];
    if (continued == 1 && s->next[s->newest] == line) return s->newest;
    for (uint32_t i = 0; continued && i < streams; i++)
        if (s->next[i] == line || s->back[i] == line) return i;
    uint32_t oldest = s->stream[s->newest].newer;
    s->stream[oldest].run = 0;
    return oldest;
}

static void expect(struct mem_streams *s, uint64_t *line, uint64_t next)
{
    s->continued[number_of(*line)]--;
    s->continued[number_of(next)]++;
    *line = next;
}

static bool read_line(struct mem_prefetcher *p, uint64_t line, int64_t now, int64_t ticks,
                      int64_t *there)
{
    struct mem_streams *s = p->state;
    uint32_t i = stream_of(s, line, p->streams);
    struct stream *stream = &s->stream[i];
    int64_t *read = s->read + (size_t)i * (s->mask + 1);
    bool up = s->next[i] == line, down = s->back[i] == line;
    uint64_t entry = down ? line + 1 : line; /* a page's first line, or its last */
    if (entry >> p->page_shift << p->page_shift == entry) stream->run = 0;
    bool ahead = stream->run >= 2;
    uint32_t before = MIN(p->depth, stream->run - 1);
    if (ahead) *there = read[(down ? line + before : line - before) & s->mask] + ticks;
    read[line & s->mask] = now;
    stream->run = MIN(stream->run + 1, p->depth + 1);
    expect(s, &s->next[i], down ? MEM_PREFETCH_NOTHING : line + 1);
    expect(s, &s->back[i], up ? MEM_PREFETCH_NOTHING : line - 1);
    use(s, i);
    return ahead;
}

const struct mem_prefetch mem_prefetch_stream = {
    .name = "stream",
    .doc = "Several streams of ascending or descending lines are read ahead, each to a page's end.",
    .source = "Intel 64 and IA-32 Architectures Optimization Reference Manual: the streamer; "
              "Palacharla and Kessler, ISCA 1994",
    .init = init,
    .clear = clear,
    .read = read_line,
};
