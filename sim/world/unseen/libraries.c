/* Which libraries a program calls that were not compiled by sidewinder cc: what they compute takes
 * no time, which the report must say.
 */
#include "world/unseen/unseen.h"

#include <string.h>

enum { NAMED = 3 };

/* What these take is in tables of costs, or it is said that it is not modelled. */
static const char *const of_language[] = {
    "libc.so",      "libm.so",     "libmvec.so",     "ld-linux",      "libpthread.so",
    "libdl.so",     "librt.so",    "libgcc_s.so",    "libstdc++.so",  "libgomp.so",
    "libatomic.so", "libgfortran", "libquadmath.so", "libsidewinder", "libsimgrid.so",
    "libresolv.so", "libutil.so"};

struct function {
    const char *library, *name;
    const uint8_t *called;
};
static GArray *functions; /* of struct function */

static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void world_unseen_function(const char *file, const char *name, const uint8_t *called)
{
    const char *library = base_of(file);
    for (size_t i = 0; i < G_N_ELEMENTS(of_language); i++)
        if (g_str_has_prefix(library, of_language[i])) return;
    if (!functions) functions = g_array_new(FALSE, FALSE, sizeof(struct function));
    const struct function f = {g_intern_string(library), g_intern_string(name), called};
    g_array_append_val(functions, f);
}

/* NULL: none of its functions was called. */
static char *described(const char *library)
{
    g_autoptr(GString) text = g_string_new(library);
    int n = 0;
    for (guint i = 0; i < functions->len; i++) {
        const struct function *f = &g_array_index(functions, struct function, i);
        if (f->library != library || !*f->called) continue;
        if (n++ < NAMED) g_string_append_printf(text, "%s%s", n > 1 ? ", " : " (", f->name);
    }
    if (n == 0) return NULL;
    if (n > NAMED) g_string_append_printf(text, " and %d more", n - NAMED);
    g_string_append(text, n > 1 ? " were called)" : " was called)");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char **world_unseen_libraries(char *const *others)
{
    GPtrArray *all = g_ptr_array_new();
    g_autoptr(GPtrArray) seen = g_ptr_array_new();
    for (; others && *others; others++) g_ptr_array_add(all, g_strdup(*others));
    for (guint i = 0; functions && i < functions->len; i++) {
        const char *library = g_array_index(functions, struct function, i).library;
        if (g_ptr_array_find(seen, library, NULL)) continue;
        g_ptr_array_add(seen, (gpointer)library);
        char *text = described(library);
        if (text) g_ptr_array_add(all, text);
    }
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(all, FALSE);
}
