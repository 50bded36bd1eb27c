/* strdup and strndup: strings into blocks of the rank's heap. */
#include "probe/access.h"
#include "probe/stand_ins.h"

#include <stdint.h>
#include <string.h>

static char *duplicate(const char *s, size_t n, uintptr_t pc)
{
    size_t length = probe_active() ? probe_load_to(s, 0, n, pc) : strnlen(s, n);
    char *copied = probe_malloc(length + 1);
    if (copied) probe_put(copied, s, length, pc);
    return copied;
}

char *probe_strdup(const char *s) { return duplicate(s, (size_t)PTRDIFF_MAX, PROBE_CALLER); }
char *probe_strndup(const char *s, size_t n) { return duplicate(s, n, PROBE_CALLER); }
