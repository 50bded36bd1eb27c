/* Names of functions: C++'s library knows those of its symbols. It is opened when one is met, since
 * no command but this needs it. */
#include "cli/blocks/name.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle(const char *symbol, char *into, size_t *bytes, int *status);

static demangle *demangler(void)
{
    static demangle *found;
    static bool opened;
    void *library = opened ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY);
    opened = true;
    void *address = library ? dlsym(library, "__cxa_demangle") : NULL;
    if (address) memcpy(&found, &address, sizeof found); /* C forbids the conversion */
    return found;
}

const char *cli_blocks_name(const char *symbol)
{
    demangle *of = g_str_has_prefix(symbol, "_Z") ? demangler() : NULL;
    char *plain = of ? of(symbol, NULL, NULL, NULL) : NULL;
    const char *name = g_intern_string(plain ? plain : symbol);
    free(plain);
    return name;
}

/* The name of a template's instance has the type it returns before it. */
bool cli_blocks_named(const char *symbol, const char *given)
{
    const char *name = cli_blocks_name(symbol);
    const size_t length = strlen(given);
    if (strcmp(symbol, given) == 0 || strcmp(name, given) == 0) return true;
    for (const char *at = length > 0 ? strstr(name, given) : NULL; at; at = strstr(at + 1, given))
        if ((at == name || at[-1] == ' ' || at[-1] == ':') &&
            (at[length] == '(' || at[length] == '<'))
            return true;
    return false;
}
