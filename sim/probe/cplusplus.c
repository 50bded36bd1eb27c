/* Functions of C++'s library that read and store the program's memory: those of cplusplus.def. What
 * they read is played as loads, as in format.c; what they store goes through a copy of ours.
 *
 * Left out: strings of other characters; what a string's own functions read of its text. */
#include "probe/foreign.h"
#include "probe/stand_ins.h"

#include <string.h>

enum which {
#define NAME(name, ...) name##_,
#define TEXT            NAME
#define BYTES           NAME
#define UP_TO           NAME
#define STRING          NAME
#define INTO            NAME
#define LINE            NAME
#define VALUE           NAME
#include "probe/cplusplus.def"
#undef TEXT
#undef BYTES
#undef UP_TO
#undef STRING
#undef INTO
#undef LINE
#undef VALUE
    FUNCTIONS
};

/* They have up to five arguments, all of them integers or pointers, and so is what they return. */
#define GIVEN uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4
typedef uintptr_t (*function)(GIVEN);
static function library[FUNCTIONS];

/* libstdc++'s std::string begins so. */
struct string {
    const char *text;
    size_t bytes;
};
/* std::istream begins so: how many characters its last call took. */
struct stream {
    const void *table;
    ptrdiff_t taken;
};

static void string_read(const struct string *s, uintptr_t pc) { probe_look(s->text, s->bytes, pc); }

/* Where it may store n bytes instead; NULL: it is to store them itself. */
static char *block_for(size_t n)
{
    return probe_active() && n > 0 && n <= PTRDIFF_MAX ? calloc(n, 1) : NULL;
}

#define READER(name, ...)                                                                          \
    static uintptr_t name(GIVEN)                                                                   \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        return library[name##_](a0, a1, a2, a3, a4);                                               \
    }
#define TEXT(name, symbol, at)     READER(name, probe_look_text((const char *)a##at, PROBE_CALLER))
#define BYTES(name, symbol, at, n) READER(name, probe_look((const void *)a##at, a##n, PROBE_CALLER))
#define UP_TO(name, symbol, at, end)                                                               \
    READER(name, probe_look((const void *)a##at, a##end - a##at, PROBE_CALLER))
#define STRING(name, symbol, at) READER(name, string_read((const void *)a##at, PROBE_CALLER))
#define WRITER(name, n, stored)                                                                    \
    static uintptr_t name(GIVEN)                                                                   \
    {                                                                                              \
        uintptr_t pc = PROBE_CALLER;                                                               \
        char *block = block_for(n);                                                                \
        if (!block) return library[name##_](a0, a1, a2, a3, a4);                                   \
        uintptr_t result = library[name##_](a0, (uintptr_t)block, a2, a3, a4);                     \
        probe_deliver((void *)a1, block, (stored), pc);                                            \
        free(block);                                                                               \
        return result;                                                                             \
    }
#define INTO(name, symbol, counted)                                                                \
    WRITER(name, a2, counted ? (size_t)((const struct stream *)a0)->taken : result)
#define LINE(name, symbol) WRITER(name, a2, strlen(block) + 1)
/* A value that is not stored leaves the block as it was. */
#define VALUE(name, symbol, type)                                                                  \
    static uintptr_t name(GIVEN)                                                                   \
    {                                                                                              \
        static const char unset[sizeof(type)] = "\xa5\x5a\x96";                                    \
        uintptr_t pc = PROBE_CALLER;                                                               \
        char *block = block_for(sizeof(type));                                                     \
        if (!block) return library[name##_](a0, a1, a2, a3, a4);                                   \
        memcpy(block, unset, sizeof unset);                                                        \
        uintptr_t result = library[name##_](a0, (uintptr_t)block, a2, a3, a4);                     \
        if (memcmp(block, unset, sizeof unset) != 0)                                               \
            probe_deliver((void *)a1, block, sizeof unset, pc);                                    \
        free(block);                                                                               \
        return result;                                                                             \
    }
#include "probe/cplusplus.def"
#undef TEXT
#undef BYTES
#undef UP_TO
#undef STRING
#undef INTO
#undef LINE
#undef VALUE

static const struct {
    const char *symbol;
    function stand_in;
} all[] = {
#define ROW(name, symbol, ...) [name##_] = {symbol, name},
#define TEXT                   ROW
#define BYTES                  ROW
#define UP_TO                  ROW
#define STRING                 ROW
#define INTO                   ROW
#define LINE                   ROW
#define VALUE                  ROW
#include "probe/cplusplus.def"
};

void *probe_cplusplus_call(const char *symbol, void *code)
{
    for (size_t i = 0; i < FUNCTIONS && g_str_has_prefix(symbol, "_Z"); i++) {
        if (strcmp(all[i].symbol, symbol) != 0) continue;
        if (library[i] && (uintptr_t)library[i] != (uintptr_t)code) return code;
        library[i] = (function)(uintptr_t)code;
        return (void *)(uintptr_t)all[i].stand_in;
    }
    return code;
}
