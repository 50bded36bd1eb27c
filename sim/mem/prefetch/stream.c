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
    uint64_t next;         /* the line that continues it; MEM_PREFETCH_NOTHING: no stream */
    uint64_t back;         /* the same downwards; a stream of one line may go either way */
    uint32_t run;          /* lines read of it before, at most depth + 1 */
    uint32_t newer, older; /* streams */
    uint16_t next_number, back_number; /* of those two lines */
};
/* The lines of one number that continue streams: how many there are, and their streams' indices,
 * added bit by bit: of one line alone that is its stream. */
enum { ONE = 1 << 16 };
struct mem_streams {
    uint32_t newest;
    uint32_t continued[1 << NUMBERS]; /* lines * ONE + streams */
    struct stream *stream;
    int64_t *read; /* when the last `depth` lines of each were read, by the line's lowest bits */
    uint32_t mask; /* which: entries of each, less one */
};

/* Fibonacci hashing, Knuth 6.4: the highest bits of the line's hash, which the next line's is so
 * much more than. */
#define HASH UINT64_C(0x9e3779b97f4a7c15)
static uint16_t number_of(uint64_t hash) { return (uint16_t)(hash >> (64 - NUMBERS)); }

static void init(struct mem_prefetcher *p)
{
    uint32_t n = p->streams;
    struct mem_streams *s = p->state = g_new0(struct mem_streams, 1);
    const uint16_t nothing = number_of(MEM_PREFETCH_NOTHING * HASH);
    g_assert(n < ONE / 2);
    s->stream = g_new0(struct stream, n);
    while (s->mask + 1 < p->depth) s->mask = 2 * s->mask + 1;
    s->read = g_new0(int64_t, (size_t)n *(s->mask + 1));
    s->newest = n - 1;
    for (uint32_t i = 0; i < n; i++)
        s->stream[i] = (struct stream){.next = MEM_PREFETCH_NOTHING,
                                       .back = MEM_PREFETCH_NOTHING,
                                       .newer = (i + 1) % n,
                                       .older = (i + n - 1) % n,
                                       .next_number = nothing,
                                       .back_number = nothing};
    s->continued[nothing] = 2 * n * ONE;
}

static void clear(struct mem_prefetcher *p)
{
    struct mem_streams *s = p->state;
    g_free(s->stream);
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

static bool continues(const struct stream *stream, uint64_t line)
{
    return stream->next == line || stream->back == line;
}
/* The stream that the line, of that number, continues; `streams`: none. */
static uint32_t stream_of(const struct mem_streams *s, uint64_t line, uint16_t number,
                          uint32_t streams)
{
    const uint32_t continued = s->continued[number];
    uint32_t i = continued % ONE;
    if (continued < ONE) return streams;
    if (continued < 2 * ONE) return continues(&s->stream[i], line) ? i : streams;
    for (i = 0; i < streams && !continues(&s->stream[i], line);) i++;
    return i;
}

/* Stream i expects a line of this number instead of that one. */
static inline void expect(struct mem_streams *s, uint32_t i, uint16_t *number, uint16_t other)
{
    s->continued[*number] = (s->continued[*number] - ONE) ^ i;
    s->continued[other] = (s->continued[other] + ONE) ^ i;
    *number = other;
}

/* The line continues none: a stream begins, in the place of the one not used for longest. */
static void begin(struct mem_streams *s, uint64_t line, uint64_t hash, int64_t now)
{
    const uint32_t i = s->stream[s->newest].newer;
    struct stream *stream = &s->stream[i];
    s->newest = i;
    s->read[(size_t)i * (s->mask + 1) + (line & s->mask)] = now;
    stream->run = 1;
    stream->next = line + 1;
    stream->back = line - 1;
    expect(s, i, &stream->next_number, number_of(hash + HASH));
    expect(s, i, &stream->back_number, number_of(hash - HASH));
}

/* It continues stream i. */
static bool go_on(struct mem_prefetcher *p, uint32_t i, uint64_t line, uint64_t hash, int64_t now,
                  int64_t ticks, int64_t *there)
{
    struct mem_streams *s = p->state;
    struct stream *stream = &s->stream[i];
    int64_t *read = s->read + (size_t)i * (s->mask + 1);
    const uint16_t nothing = number_of(MEM_PREFETCH_NOTHING * HASH);
    const bool up = stream->next == line, down = stream->back == line;
    const uint64_t entry = down ? line + 1 : line; /* a page's first line, or its last */
    if (entry >> p->page_shift << p->page_shift == entry) stream->run = 0;
    const bool ahead = stream->run >= 2;
    const uint32_t before = MIN(p->depth, stream->run - 1);
    if (ahead) *there = read[(down ? line + before : line - before) & s->mask] + ticks;
    read[line & s->mask] = now;
    stream->run = MIN(stream->run + 1, p->depth + 1);
    stream->next = down ? MEM_PREFETCH_NOTHING : line + 1;
    stream->back = up ? MEM_PREFETCH_NOTHING : line - 1;
    expect(s, i, &stream->next_number, down ? nothing : number_of(hash + HASH));
    expect(s, i, &stream->back_number, up ? nothing : number_of(hash - HASH));
    use(s, i);
    return ahead;
}

static bool read_line(struct mem_prefetcher *p, uint64_t line, int64_t now, int64_t ticks,
                      int64_t *there)
{
    struct mem_streams *s = p->state;
    const uint64_t hash = line * HASH;
    const uint32_t i = stream_of(s, line, number_of(hash), p->streams);
    if (i != p->streams) return go_on(p, i, line, hash, now, ticks, there);
    begin(s, line, hash, now);
    return false;
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
