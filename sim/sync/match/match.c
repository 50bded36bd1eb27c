/* The object that matches one communicator's requests and servicers: its life. */
#include "sync/match/state.h"

#include "sync/machine/machine.h"

struct sync_match *sync_matches;

struct sync_match *sync_match_new(int members, const int *world_rank)
{
    struct move *move = sync_move();
    struct sync_match *match = g_new0(struct sync_match, 1);
    match->move = move;
    match->members = members;
    match->part = g_new0(struct sync_part, members);
    match->rounds = sync_round_table();
    match->offered = base_ranges_new();
    for (int i = 0; i < members; i++) {
        struct sync_part *part = &match->part[i];
        part->proc = move->proc[world_rank[i]];
        part->issued = g_ptr_array_new();
        part->orders = sync_order_table();
        part->own = sync_own_table();
        part->tags = sync_tag_table();
        part->asked = sync_plain_table();
        part->posted = sync_plain_table();
        g_queue_init(&part->arrived);
        g_queue_init(&part->next);
        g_queue_init(&part->messages);
        g_queue_init(&part->servicers);
    }
    match->next = sync_matches;
    sync_matches = match;
    return match;
}

void sync_match_free(struct sync_match *match)
{
    struct sync_match **link = &sync_matches;
    while (*link && *link != match) link = &(*link)->next;
    if (*link) *link = match->next;
    for (int i = 0; i < match->members; i++) {
        struct sync_part *part = &match->part[i];
        for (guint k = 0; k < part->issued->len; k++) {
            struct sync_issue *issue = part->issued->pdata[k];
            if (issue->arrived_s >= 0 && !issue->servicer) move_drop(issue->transfer);
            g_free(issue);
        }
        for (GList *at = part->servicers.head, *next; at; at = next) {
            struct sync_servicer *s = at->data;
            next = at->next;
            sync_guard_remove(s->guard, 0);
            if (s->error) g_string_free(s->error, TRUE);
            g_free(s);
        }
        g_queue_clear(&part->arrived);
        g_hash_table_destroy(part->tags);
        g_queue_clear(&part->next);
        g_queue_clear_full(&part->messages, g_free);
        g_ptr_array_free(part->issued, TRUE);
        g_hash_table_destroy(part->orders);
        g_hash_table_destroy(part->own);
        g_hash_table_destroy(part->asked);
        g_hash_table_destroy(part->posted);
    }
    g_hash_table_destroy(match->rounds);
    base_ranges_free(match->offered);
    g_free(match->part);
    g_free(match);
}

int sync_match_members(const struct sync_match *match) { return match->members; }
