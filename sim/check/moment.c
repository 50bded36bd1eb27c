/* When operations were performed: of the last ones, and of those that a finding asks about. */
#include "check/moment.h"

enum { LAST = 1 << 14 };

static uint64_t now;
static struct {
    uint64_t number, moment;
} done[LAST];             /* by number */
static GHashTable *asked; /* number -> GPtrArray of uint64_t */

void check_moments_open(void)
{
    now = 0;
    for (int i = 0; i < LAST; i++) done[i].number = 0;
    asked = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
}

void check_moments_close(void) { g_clear_pointer(&asked, g_hash_table_unref); }

uint64_t check_moment_now(void) { return ++now; }

void check_moment_performed(uint64_t number)
{
    gpointer key = GSIZE_TO_POINTER(number);
    uint64_t moment = check_moment_now();
    done[number % LAST].number = number;
    done[number % LAST].moment = moment;
    const GPtrArray *those = g_hash_table_size(asked) > 0 ? g_hash_table_lookup(asked, key) : NULL;
    for (guint i = 0; those && i < those->len; i++) *(uint64_t *)those->pdata[i] = moment;
    if (those) g_hash_table_remove(asked, key);
}

void check_moment_ask(uint64_t number, uint64_t *moment)
{
    gpointer key = GSIZE_TO_POINTER(number);
    *moment = 0;
    if (done[number % LAST].number == number) *moment = done[number % LAST].moment;
    if (*moment || done[number % LAST].number > number) return;
    GPtrArray *those = g_hash_table_lookup(asked, key);
    if (!those) g_hash_table_insert(asked, key, those = g_ptr_array_new());
    g_ptr_array_add(those, moment);
}
