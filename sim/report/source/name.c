/* Names of symbols as programs have them. */
#include "report/source/source.h"

#include <stdlib.h>

/* Of C++'s library, which the engine is linked with. The commands, which name no symbols, are not:
 * there it is NULL. (C cannot include the header that declares it.) */
extern char *__cxa_demangle(const char *symbol, char *into, size_t *bytes, int *status)
    __attribute__((weak));

const char *report_source_name(const char *symbol)
{
    static GHashTable *known; /* symbol -> name, both interned */
    if (!symbol || !g_str_has_prefix(symbol, "_Z") || !__cxa_demangle)
        return g_intern_string(symbol);
    if (!known) known = g_hash_table_new(g_str_hash, g_str_equal);
    const char *name = g_hash_table_lookup(known, symbol);
    if (name) return name;
    char *plain = __cxa_demangle(symbol, NULL, NULL, NULL);
    name = g_intern_string(plain ? plain : symbol);
    free(plain);
    g_hash_table_insert(known, (char *)g_intern_string(symbol), (char *)name);
    return name;
}
