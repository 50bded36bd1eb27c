/* Functions of C++'s library that read and store the program's memory: those of cplusplus.def. What
 * they read is played as loads, what they store as stores, as in format.c. They may throw.
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

/* Has the stream's last call failed? Its state lies in a virtual base (Itanium C++ ABI). */
static bool failed(const struct stream *in)
{
    enum { STATE = 32, BAD_OR_FAILED = 5 };
    const ptrdiff_t base = ((const ptrdiff_t *)in->table)[-3];
    return *(const int *)(const void *)((const char *)in + base + STATE) & BAD_OR_FAILED;
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
        uintptr_t result = library[name##_](a0, a1, a2, a3, a4);                                   \
        if ((n) > 0 && (n) <= PTRDIFF_MAX) probe_store_again((void *)a1, (stored), pc);            \
        return result;                                                                             \
    }
#define INTO(name, symbol, counted)                                                                \
    WRITER(name, a2, counted ? (size_t)((const struct stream *)a0)->taken : result)
#define LINE(name, symbol) WRITER(name, a2, strlen((const char *)a1) + 1)
/* A call that fails may store, or not. */
#define VALUE(name, symbol, type)                                                                  \
    static uintptr_t name(GIVEN)                                                                   \
    {                                                                                              \
        uintptr_t pc = PROBE_CALLER;                                                               \
        char before[sizeof(type)];                                                                 \
        memcpy(before, (const void *)a1, sizeof before);                                           \
        uintptr_t result = library[name##_](a0, a1, a2, a3, a4);                                   \
        if (!failed((const struct stream *)a0) ||                                                  \
            memcmp(before, (const void *)a1, sizeof before) != 0)                                  \
            probe_store_again((void *)a1, sizeof before, pc);                                      \
        return result;                                                                             \
    }
#include "probe/cplusplus.def"

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
