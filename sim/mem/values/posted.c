/* posted: bytes on their way from one processor to memory.
 *
 * A processor runs ahead of the simulated clock, so a store it has made may lie in the future of a
 * remote reader. Bytes therefore wait here with the date at which memory has them, and are written
 * when the clock has come there: at a payment, or when the network interface reads or writes.
 */
#include "mem/values/values.h"

static void make_room(struct mem_posted_queue *q, uint64_t bytes)
{
    if (q->first == q->end) {
        q->first = q->end = q->late = 0;
        q->data_end = 0;
    } else if (q->first > 64 && q->first * 2 > q->end) {
        uint64_t gone = q->write[q->first].data;
        memmove(q->write, q->write + q->first, (q->end - q->first) * sizeof *q->write);
        memmove(q->data, q->data + gone, q->data_end - gone);
        q->end -= q->first;
        q->late = q->late > q->first ? q->late - q->first : 0;
        q->first = 0;
        q->data_end -= gone;
        for (size_t i = 0; i < q->end; i++) q->write[i].data -= gone;
    }
    if (q->end == q->room) {
        q->room = q->room ? q->room * 2 : 16;
        q->write = g_renew(struct mem_posted, q->write, q->room);
    }
    if (q->data_end + bytes > q->data_room) {
        q->data_room = MAX(q->data_room * 2, q->data_end + bytes + 256);
        q->data = g_realloc(q->data, q->data_room);
    }
}

/* Bytes of the deferred store that lie behind those pushed last, and reach memory with them, are
 * part of that write. */
static bool joins_last(struct mem_posted_queue *q, uintptr_t addr, uint64_t bytes, int64_t at)
{
    struct mem_posted *w = q->end > q->first ? &q->write[q->end - 1] : NULL;
    if (!w || !w->late || w->put_back || w->at != at || w->addr + w->bytes != addr) return false;
    if (q->data_end + bytes > q->data_room) return false;
    w->bytes += bytes;
    q->data_end += bytes;
    return true;
}

void mem_posted_push(struct mem_own *own, uintptr_t addr, uint64_t bytes, const uint8_t *data,
                     uint64_t put_back, op_site site, int64_t at)
{
    struct mem_posted_queue *q = &own->posted;
    if (data == NULL && put_back == 0 && joins_last(q, addr, bytes, at)) return;
    make_room(q, bytes);
    q->write[q->end] =
        (struct mem_posted){addr, at, bytes, q->data_end, put_back, site, data == NULL};
    if (data)
        memcpy(q->data + q->data_end, data, bytes);
    else
        own->deferred.late = true;
    if (!data && put_back) memcpy(q->data + q->data_end, (const void *)addr, bytes);
    q->data_end += bytes;
    q->end++;
    own->values->posted++;
}

void mem_posted_put_back(struct mem_own *own, const uint8_t *data)
{
    struct mem_posted_queue *q = &own->posted;
    const struct mem_posted *w = &q->write[q->end - 1];
    for (uint64_t k = 0; w->put_back && k < w->bytes; k++)
        if (w->put_back >> k & 1) q->data[w->data + k] = data[k];
}

void mem_posted_fetch(struct mem_own *own)
{
    struct mem_posted_queue *q = &own->posted;
    for (size_t i = MAX(q->late, q->first); i < q->end; i++) {
        struct mem_posted *w = &q->write[i];
        if (!w->late) continue;
        if (w->put_back) w->put_back &= ~mem_deferred_bits(own, w->addr, (unsigned)w->bytes);
        if (!w->put_back) mem_copy(q->data + w->data, (const void *)w->addr, w->bytes);
        for (uint64_t k = 0; w->put_back && k < w->bytes; k++)
            if (!(w->put_back >> k & 1)) q->data[w->data + k] = ((const uint8_t *)w->addr)[k];
        w->late = false;
    }
    q->late = q->end;
}

bool mem_posted_later(const struct mem_own *own, uintptr_t addr, uint64_t bytes, int64_t at)
{
    for (size_t i = own->posted.first; i < own->posted.end; i++) {
        const struct mem_posted *w = &own->posted.write[i];
        if (w->at > at && mem_overlap(addr, bytes, w->addr, w->bytes)) return true;
    }
    return false;
}

/* Is the byte of a segment that the program protects from stores beside it (mem_segment_protect)?
 * The stores that put it back are those to its quadword. */
static struct mem_registration *protects(const struct mem_values *v, const struct mem_posted *w,
                                         uintptr_t addr)
{
    uintptr_t quad = addr & ~(uintptr_t)7, from = MAX(quad, w->addr),
              to = MIN(quad + 8, w->addr + w->bytes);
    for (uintptr_t a = from; a < to; a++) {
        struct mem_registration *reg =
            w->put_back >> (a - w->addr) & 1 ? NULL : mem_registration_protects(v, addr, a);
        if (reg) return reg;
    }
    return NULL;
}

static void note_byte(struct findings_note *note, const struct mem_region *r,
                      const struct mem_registration *reg, uintptr_t addr)
{
    if (note->bytes++ > 0) return; /* one store, one note: the first byte says where */
    uint64_t word = r->provenance ? r->provenance[(addr >> 3) - (r->base >> 3)] : 0;
    note->segment = reg ? reg->id : -1;
    note->offset = reg ? addr - reg->base : 0;
    note->writer = (uint32_t)(word >> 44);
}

/* Memory keeps the byte. The view was left alone when it changed, since this store had it; but in a
 * line of the cache it stays behind until that goes; what nobody announced storing there stays. */
static void spare(struct mem_own *own, const struct mem_region *r, struct mem_registration *reg,
                  uintptr_t addr, uint8_t *data, bool unseen)
{
    *data = r->image[addr - r->base];
    reg->restored = true;
    if (!unseen && !mem_view_is_behind(r, addr) && !mem_byte_own(own, r, addr))
        *(uint8_t *)addr = *data;
}

/* A sub-word store puts the word's other bytes back as it read them: those that changed in memory
 * meanwhile are overwritten, and the loss is reported; or, where a segment is protected, stay what
 * memory has, and that is reported. */
static void put_back(struct mem_own *own, const struct mem_posted *w, uint8_t *data)
{
    struct mem_values *v = own->values;
    struct findings_note lost = {.kind = FINDINGS_NOTE_LOST_UPDATE,
                                 .rank = *own->rank,
                                 .time_s = mem_seconds(v->scale, w->at),
                                 .site = w->site,
                                 .call = "store"},
                         spared = lost;
    spared.kind = FINDINGS_NOTE_RESTORED;
    for (uint64_t i = 0; i < w->bytes; i++) {
        if (!(w->put_back >> i & 1)) continue;
        uintptr_t addr = w->addr + i;
        struct mem_region *r = mem_region_find(v, addr, addr + 1);
        if (!r) continue;
        const uint8_t view = *(const uint8_t *)addr;
        const bool unseen = view != data[i] && view != r->image[addr - r->base]; /* unseen.c */
        if (r->image[addr - r->base] != data[i]) {
            struct mem_registration *reg = protects(v, w, addr);
            note_byte(reg ? &spared : &lost, r, reg ? reg : mem_registration_at(v, addr), addr);
            if (reg) spare(own, r, reg, addr, &data[i], unseen);
        }
        /* The view has what memory held until now; a line that comes into the cache takes the old
         * bytes. */
        if (!unseen && *(const uint8_t *)addr != data[i]) mem_view_behind(v, r, addr, 1);
    }
    if (lost.bytes > 0) findings_note(&lost);
    if (spared.bytes > 0) findings_note(&spared);
}

void mem_posted_apply(struct mem_own *own, int64_t now)
{
    struct mem_values *v = own->values;
    struct mem_posted_queue *q = &own->posted;
    while (q->first < q->end && q->write[q->first].at <= now + MEM_TICK_SLACK) {
        const struct mem_posted *w = &q->write[q->first++];
        v->posted--;
        if (w->put_back) put_back(own, w, q->data + w->data);
        mem_image_write(v, w->addr, v->out_of_view ? (const uint8_t *)w->addr : q->data + w->data,
                        w->bytes);
    }
}
