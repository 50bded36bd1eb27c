/* Receives from any source: what is their rank behind, whichever messages they take?
 *
 * The first n of them can have taken any n of the messages that are not sent behind the n-th. Of a
 * rank's component they have surely brought the n-th smallest value that these messages carry: n -
 * 1 messages may carry less. So one of several leaves open whose message came first, and after the
 * last of them nothing is open.
 *
 * Left out: that a message which must come for another receive cannot be taken by these. Receives
 * of one tag and of any tag at once, and more than MANY of one kind or ALL, count as ordered as
 * they came. */
#include "check/wild.h"

#include <string.h>

enum { MANY = 128, ALL = 1024 };

struct mail {
    struct check_clock *sent;
    uint32_t *sure; /* at the end: what it is surely behind */
    bool named;
};
struct take {
    guint mail;
    uint32_t clock; /* of the receiver, before */
    op_site site;
    uint32_t *sure; /* at the end: what it and the ones before surely brought */
};
struct check_wild {
    int rank, tag;
    op_site site; /* of the last that began */
    bool mixed;
    GArray *mails, *takes;
};

static int ranks;
static GPtrArray *wilds;
static guint takes;
static bool closed; /* the sure ones are known */

static void wild_free(void *data)
{
    struct check_wild *wild = data;
    for (guint i = 0; i < wild->mails->len; i++) {
        check_clock_unref(g_array_index(wild->mails, struct mail, i).sent);
        g_free(g_array_index(wild->mails, struct mail, i).sure);
    }
    for (guint i = 0; i < wild->takes->len; i++)
        g_free(g_array_index(wild->takes, struct take, i).sure);
    g_array_unref(wild->mails);
    g_array_unref(wild->takes);
    g_free(wild);
}

void check_wilds_open(int n)
{
    ranks = n;
    closed = false;
    takes = 0;
    wilds = g_ptr_array_new_with_free_func(wild_free);
}

void check_wilds_close(void) { g_clear_pointer(&wilds, g_ptr_array_unref); }

struct check_wild *check_wild_new(int rank, int tag, op_site site)
{
    struct check_wild *wild = g_new0(struct check_wild, 1);
    wild->rank = rank;
    wild->tag = tag;
    wild->site = site;
    wild->mails = g_array_new(FALSE, FALSE, sizeof(struct mail));
    wild->takes = g_array_new(FALSE, FALSE, sizeof(struct take));
    g_ptr_array_add(wilds, wild);
    return wild;
}

bool check_wild_begins(struct check_wild *wild, int tag, op_site site)
{
    if (wild->tag != tag) return false;
    wild->site = site;
    return true;
}

bool check_wild_accepts(const struct check_wild *wild, int tag)
{
    return wild->tag < 0 || wild->tag == tag;
}

void check_wild_mix(struct check_wild *wild) { wild->mixed = true; }

guint check_wild_mail(struct check_wild *wild, struct check_clock *sent)
{
    if (wild->mails->len >= 4 * MANY) wild->mixed = true;
    const struct mail mail = {.sent = check_clock_ref(sent)};
    g_array_append_val(wild->mails, mail);
    return wild->mails->len - 1;
}

void check_wild_named(struct check_wild *wild, guint number)
{
    g_array_index(wild->mails, struct mail, number).named = true;
}

bool check_wild_take(struct check_wild *wild, guint number)
{
    if (wild->takes->len >= MANY || takes >= ALL) wild->mixed = true;
    if (wild->mixed) return false;
    check_clock_join_unsure(wild->rank, g_array_index(wild->mails, struct mail, number).sent);
    const struct take take = {
        .mail = number, .clock = check_clock_tick(wild->rank), .site = wild->site};
    takes++;
    g_array_append_val(wild->takes, take);
    return true;
}

op_site check_wild_site(int rank, uint32_t clock)
{
    const struct take *last = NULL;
    for (guint i = 0; i < wilds->len; i++) {
        const struct check_wild *wild = wilds->pdata[i];
        for (guint k = 0; wild->rank == rank && k < wild->takes->len; k++) {
            const struct take *take = &g_array_index(wild->takes, struct take, k);
            if (take->clock < clock && (!last || take->clock > last->clock)) last = take;
        }
    }
    return last ? last->site : 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool raise_to(uint32_t *to, const uint32_t *from)
{
    bool raised = false;
    for (int i = 0; i < ranks; i++)
        if (from[i] > to[i]) to[i] = from[i], raised = true;
    return raised;
}

static int by_value(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* The first n receives. Returns whether more is sure than before. */
static bool bring(const struct check_wild *wild, guint n, uint32_t *values)
{
    struct take *take = &g_array_index(wild->takes, struct take, n - 1);
    bool raised = n > 1 && raise_to(take->sure, take[-1].sure);
    for (int i = 0; i < ranks; i++) {
        guint known = 0;
        for (guint k = 0; k < wild->mails->len; k++) {
            const struct mail *mail = &g_array_index(wild->mails, struct mail, k);
            if (!mail->named && mail->sure[wild->rank] <= take->clock)
                values[known++] = mail->sure[i];
        }
        if (known < n) /* not all that they take are known: as it came */
            return raise_to(take->sure, g_array_index(wild->mails, struct mail, take->mail).sure) ||
                   raised;
        qsort(values, known, sizeof *values, by_value);
        if (values[n - 1] > take->sure[i]) take->sure[i] = values[n - 1], raised = true;
    }
    return raised;
}

/* Raises the clock by what the receives bring whose ends it is behind. */
static bool raise_by(uint32_t *sure)
{
    bool raised = false;
    for (guint i = 0; i < wilds->len; i++) {
        const struct check_wild *wild = wilds->pdata[i];
        for (guint k = wild->takes->len; k-- > 0;) {
            const struct take *take = &g_array_index(wild->takes, struct take, k);
            if (take->clock >= sure[wild->rank]) continue;
            raised |= raise_to(sure, take->sure); /* and what the ones before bring */
            break;
        }
    }
    return raised;
}

static void start(struct check_wild *wild)
{
    for (guint k = 0; k < wild->mails->len; k++) {
        struct mail *mail = &g_array_index(wild->mails, struct mail, k);
        mail->sure = g_memdup2(check_clock_sure_of(mail->sent), (size_t)ranks * sizeof *mail->sure);
    }
    for (guint k = 0; k < wild->takes->len; k++)
        g_array_index(wild->takes, struct take, k).sure = g_new0(uint32_t, ranks);
}

/* What messages and receives surely are behind depends on each other. */
static void close_all(void)
{
    for (guint i = 0; i < wilds->len; i++) start(wilds->pdata[i]);
    for (bool raised = true; raised;) {
        raised = false;
        for (guint i = 0; i < wilds->len; i++) {
            const struct check_wild *wild = wilds->pdata[i];
            g_autofree uint32_t *values = g_new(uint32_t, wild->mails->len + 1);
            for (guint k = 0; k < wild->takes->len; k++) raised |= bring(wild, k + 1, values);
            for (guint k = 0; k < wild->mails->len; k++)
                raised |= raise_by(g_array_index(wild->mails, struct mail, k).sure);
        }
    }
    closed = true;
}

void check_wild_close_over(uint32_t *sure)
{
    if (!closed) close_all();
    while (raise_by(sure)) continue;
}
