/* Which receive takes which message (MPI-3.1 3.5): a message goes to the first receive that accepts
 * it, a receive takes the first message that it accepts, in the order of their calls.
 *
 * Left out: receives that are cancelled; matched probes. */
#include "check/match.h"
#include "check/wild.h"

/* At one rank of a communicator: what waits for the other. */
struct box {
    GQueue receives, messages; /* struct receive; struct check_message, not owned */
    GPtrArray *wilds;          /* struct check_wild, not owned; NULL: no receive from any source */
};
struct receive {
    int from, tag;
    struct check_clock *begun;
};
static GHashTable *boxes; /* struct check_envelope: of the rank alone -> struct box */

guint check_envelope_hash(const void *data)
{
    const struct check_envelope *e = data;
    uint64_t h = (uint64_t)(uintptr_t)e->ranks + (uint64_t)e->number * 7919;
    h = (h ^ (uint64_t)(uint32_t)e->from) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (uint64_t)(uint32_t)e->to) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (uint64_t)(uint32_t)e->tag) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32);
}

gboolean check_envelope_equal(const void *x, const void *y)
{
    const struct check_envelope *a = x, *b = y;
    return a->ranks == b->ranks && a->number == b->number && a->from == b->from && a->to == b->to &&
           a->tag == b->tag;
}

static void receive_free(void *data)
{
    struct receive *receive = data;
    check_clock_unref(receive->begun);
    g_free(receive);
}

static void box_free(void *data)
{
    struct box *box = data;
    g_queue_clear_full(&box->receives, receive_free);
    g_queue_clear(&box->messages);
    if (box->wilds) g_ptr_array_unref(box->wilds);
    g_free(box);
}

void check_matches_open(void)
{
    boxes = g_hash_table_new_full(check_envelope_hash, check_envelope_equal, g_free, box_free);
}

void check_matches_close(void) { g_clear_pointer(&boxes, g_hash_table_unref); }

static struct box *box_of(const struct check_envelope *e)
{
    const struct check_envelope key = {e->ranks, e->number, 0, e->to, 0};
    struct box *box = g_hash_table_lookup(boxes, &key);
    if (!box) g_hash_table_insert(boxes, g_memdup2(&key, sizeof key), box = g_new0(struct box, 1));
    return box;
}

static bool accepts(int from, int tag, const struct check_envelope *message)
{
    return (from < 0 || from == message->from) && (tag < 0 || tag == message->tag);
}

/* ---- receives from any source ---------------------------------------------------------------- */

static void offer(struct check_wild *wild, struct check_message *message)
{
    if (message->wild || !check_wild_accepts(wild, message->envelope.tag)) return;
    message->wild = wild;
    message->number = check_wild_mail(wild, message->sent);
}

/* One begins: of the same tag there may have been others. */
static void wild_begins(struct box *box, int rank, int tag, op_site site)
{
    if (!box->wilds) box->wilds = g_ptr_array_new();
    bool mixed = false;
    for (guint i = 0; i < box->wilds->len; i++) {
        struct check_wild *other = box->wilds->pdata[i];
        if (check_wild_begins(other, tag, site)) return;
        if (tag >= 0 && !check_wild_accepts(other, tag)) continue;
        check_wild_mix(other);
        mixed = true;
    }
    struct check_wild *wild = check_wild_new(rank, tag, site);
    if (mixed) check_wild_mix(wild);
    g_ptr_array_add(box->wilds, wild);
    for (GList *at = box->messages.head; at; at = at->next) offer(wild, at->data);
}

/* ---------------------------------------------------------------------------------------------- */

struct check_message *check_message_new(const struct check_envelope *envelope,
                                        struct check_clock *sent)
{
    struct check_message *message = g_new0(struct check_message, 1);
    struct box *box = box_of(envelope);
    message->refs = 1;
    message->envelope = *envelope;
    message->sent = sent;
    for (guint i = 0; box->wilds && i < box->wilds->len; i++) offer(box->wilds->pdata[i], message);
    for (GList *at = box->receives.head; at; at = at->next) {
        struct receive *receive = at->data;
        if (!accepts(receive->from, receive->tag, envelope)) continue;
        message->begun = check_clock_ref(receive->begun);
        g_queue_delete_link(&box->receives, at);
        receive_free(receive);
        return message;
    }
    g_queue_push_tail(&box->messages, message);
    return message;
}

struct check_message *check_message_ref(struct check_message *message)
{
    message->refs++;
    return message;
}

void check_message_unref(struct check_message *message)
{
    if (--message->refs > 0) return;
    check_clock_unref(message->sent);
    check_clock_unref(message->begun);
    g_free(message);
}

void check_match_receive(const struct check_envelope *envelope, int rank, op_site site,
                         struct check_clock *begun)
{
    struct box *box = box_of(envelope);
    if (envelope->from < 0) wild_begins(box, rank, envelope->tag, site);
    for (GList *at = box->messages.head; at; at = at->next) {
        struct check_message *message = at->data;
        if (!accepts(envelope->from, envelope->tag, &message->envelope)) continue;
        message->begun = begun;
        g_queue_delete_link(&box->messages, at);
        return;
    }
    struct receive *receive = g_new(struct receive, 1);
    *receive = (struct receive){envelope->from, envelope->tag, begun};
    g_queue_push_tail(&box->receives, receive);
}

void check_match_received(struct check_message *message)
{
    g_queue_remove(&box_of(&message->envelope)->messages, message);
}
