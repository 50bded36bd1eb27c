/* outbox: bytes on their way from one processor to the images.
 *
 * A processor runs ahead of the simulated clock, so a store it has made may lie in the future of a
 * remote reader. Bytes therefore wait here with the date at which memory has them, and are written
 * when the clock has come there: at a payment, or when the network interface reads or writes. A
 * store hook runs before its store: such records are `late` and their bytes are fetched from the
 * view by mem_carry, at the processor's next event.
 *
 * Several coherent processors share one view, and may store to the same bytes in an order of the
 * host that is not that of their local times. What memory ends up with must be what they see, so
 * there the bytes are taken from the view when their time comes; a value overwritten within the
 * same quantum may then never be seen by a remote reader.
 */
#include "core.h"
#include "findings/findings.h"

void mem_out_clear(struct mem_core *core)
{
    g_free(core->outbox.out);
    g_free(core->outbox.data);
    memset(&core->outbox, 0, sizeof core->outbox);
}

static void make_room(struct mem_outbox *box, uint64_t bytes)
{
    if (box->first == box->end) {
        box->first = box->end = box->late = 0;
        box->data_end = 0;
    } else if (box->first > 64 && box->first * 2 > box->end) {
        uint64_t gone = box->out[box->first].data;
        memmove(box->out, box->out + box->first, (box->end - box->first) * sizeof *box->out);
        memmove(box->data, box->data + gone, box->data_end - gone);
        box->end -= box->first;
        box->late = box->late > box->first ? box->late - box->first : 0;
        box->first = 0;
        box->data_end -= gone;
        for (size_t i = 0; i < box->end; i++) box->out[i].data -= gone;
    }
    if (box->end == box->room) {
        box->room = box->room ? box->room * 2 : 16;
        box->out = g_renew(struct mem_out, box->out, box->room);
    }
    if (box->data_end + bytes > box->data_room) {
        box->data_room = MAX(box->data_room * 2, box->data_end + bytes + 256);
        box->data = g_realloc(box->data, box->data_room);
    }
}

void mem_out_push(struct mem_core *core, uintptr_t addr, uint64_t bytes, const uint8_t *data,
                  uint64_t put_back, op_site site, int64_t at)
{
    struct mem_outbox *box = &core->outbox;
    make_room(box, bytes);
    box->out[box->end] =
        (struct mem_out){addr, at, bytes, box->data_end, put_back, site, data == NULL};
    if (data)
        memcpy(box->data + box->data_end, data, bytes);
    else
        core->late = true;
    box->data_end += bytes;
    box->end++;
    core->node->pending++;
}

/* Of the n <= 64 bytes at addr, those the store just made has written: one long store may close an
 * entry that holds some of its bytes as another store's neighbours. */
static uint64_t just_stored(const struct mem_core *core, uintptr_t addr, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++)
        if (addr + i >= core->shield && addr + i < core->shield + core->shield_bytes)
            bits |= UINT64_C(1) << i;
    return bits;
}

/* Takes the masked bytes of the entry's line from the view. */
static void capture(const struct mem_core *core, struct mem_entry *e)
{
    const uint8_t *view = (const uint8_t *)(uintptr_t)(e->host << core->node->wb_shift);
    for (unsigned i = 0; i < 1u << core->node->wb_shift; i += 8) {
        unsigned mask = (unsigned)(e->mask >> i & 0xff);
        if (mask == 0xff)
            memcpy(e->data + i, view + i, 8);
        else
            for (unsigned k = 0; k < 8; k++)
                if (mask >> k & 1) e->data[i + k] = view[i + k];
    }
    if (e->stored != e->mask)
        e->stored |= just_stored(core, (uintptr_t)view, 1u << core->node->wb_shift);
    e->late = false;
}

void mem_carry_late(struct mem_core *core)
{
    struct mem_outbox *box = &core->outbox;
    core->late = false;
    for (size_t i = MAX(box->late, box->first); i < box->end; i++) {
        if (!box->out[i].late) continue;
        struct mem_out *out = &box->out[i];
        memcpy(box->data + out->data, (const void *)out->addr, out->bytes);
        if (out->put_back) out->put_back &= ~just_stored(core, out->addr, (unsigned)out->bytes);
        box->out[i].late = false;
    }
    box->late = box->end;
    if (core->late_entry && core->late_entry->late) capture(core, core->late_entry);
    for (uint32_t i = 0; core->late_more && i < core->node->wb_entries; i++)
        if (core->entry[i].late) capture(core, &core->entry[i]);
    core->late_entry = NULL;
    core->late_more = false;
}

/* Lent bytes among those it puts back stay what they are (mem_segment_lend). */
static void spare(struct mem_core *core, const struct mem_out *out, uint8_t *data)
{
    for (uint64_t i = 0; i < out->bytes; i++) {
        uintptr_t addr = out->addr + i;
        struct mem_registration *lent =
            out->put_back >> i & 1 ? mem_registration_at(core->node, addr, true) : NULL;
        if (!lent) continue;
        const struct mem_region *r = mem_region_find(core->node, addr, addr + 1);
        lent->mended |= r->image[addr - r->base] != data[i];
        data[i] = r->image[addr - r->base];
    }
}

/* A sub-word store puts the word's other bytes back as it read them: those that changed in memory
 * meanwhile are lost. */
static void note_lost(struct mem_core *core, const struct mem_out *out, const uint8_t *data)
{
    struct findings_note note = {.kind = FINDINGS_NOTE_LOST_UPDATE,
                                 .rank = core->cpu->rank,
                                 .time_s = mem_seconds(core->node, out->at),
                                 .site = out->site,
                                 .call = "store"};
    for (uint64_t i = 0; i < out->bytes; i++) {
        if (!(out->put_back >> i & 1)) continue;
        uintptr_t addr = out->addr + i;
        const struct mem_region *r = mem_region_find(core->node, addr, addr + 1);
        if (!r || r->image[addr - r->base] == data[i]) continue;
        if (note.bytes++ > 0) continue; /* one store, one note: the first byte tells where */
        const struct mem_registration *reg = mem_registration_at(core->node, addr, false);
        uint64_t word = r->provenance ? r->provenance[(addr >> 3) - (r->base >> 3)] : 0;
        note.segment = reg ? reg->id : -1;
        note.offset = reg ? addr - reg->base : 0;
        note.writer = (uint32_t)(word >> 44);
    }
    if (note.bytes > 0) findings_note(&note);
}

static void apply_until(struct mem_core *core, int64_t now)
{
    struct mem_node *node = core->node;
    struct mem_outbox *box = &core->outbox;
    while (box->first < box->end && box->out[box->first].at <= now + MEM_TICK_SLACK) {
        const struct mem_out *out = &box->out[box->first++];
        const uint8_t *data =
            node->out_of_view ? (const uint8_t *)out->addr : box->data + out->data;
        node->pending--;
        if (out->put_back && node->lent && !node->out_of_view)
            spare(core, out, box->data + out->data);
        if (out->put_back) note_lost(core, out, data);
        mem_image_write(node, out->addr, data, out->bytes);
    }
}

void mem_out_apply(struct mem_node *node, int64_t now)
{
    for (int i = 0; node->pending && i < node->cpus; i++) {
        mem_carry(&node->core[i]); /* whoever runs now, the stores of the others have happened */
        apply_until(&node->core[i], now);
    }
}
