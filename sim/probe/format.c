/* Library functions that read the program's texts and scan or print by a format.
 *
 * What they read of segments is played as loads, since it has to be there; elsewhere it is reported
 * to who watches accesses only: the library's own work has no price (probe.h). What scanf has
 * stored is announced and stored once more, since a store has to follow its announcement. Left out:
 * formats with numbered arguments, wide characters.
 */
#include "probe/stand_ins.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a library reads -------------------------------------------------------------------- */

/* Up to and with its NUL, at most n bytes. */
static void look_text(const char *s, size_t n, uintptr_t pc)
{
    if (!s) return;
    if (probe_of_segments(s))
        probe_load_to(s, 0, n, pc);
    else
        probe_look(s, MIN(strnlen(s, n), n - 1) + 1, pc);
}

void probe_look_text(const char *s, uintptr_t pc) { look_text(s, PTRDIFF_MAX, pc); }

int probe_puts(const char *s)
{
    look_text(s, PTRDIFF_MAX, PROBE_CALLER);
    return puts(s);
}

/* More of the text is read the more of it is a number: until what is known is enough. */
#define NUMBER(type, name, parameters, ...)                                                        \
    static type name##_at parameters                                                               \
    {                                                                                              \
        char *last;                                                                                \
        type value;                                                                                \
        for (size_t known = 0;;) {                                                                 \
            value = name(__VA_ARGS__);                                                             \
            size_t needed = (size_t)(last - s) + 1;                                                \
            if (needed <= known) break;                                                            \
            probe_look(s + known, needed - known, pc);                                             \
            known = needed;                                                                        \
        }                                                                                          \
        if (end) probe_deliver(end, &last, sizeof last, pc);                                       \
        return value;                                                                              \
    }
NUMBER(long, strtol, (const char *s, char **end, int base, uintptr_t pc), s, &last, base)
NUMBER(unsigned long, strtoul, (const char *s, char **end, int base, uintptr_t pc), s, &last, base)
NUMBER(double, strtod, (const char *s, char **end, uintptr_t pc), s, &last)
NUMBER(float, strtof, (const char *s, char **end, uintptr_t pc), s, &last)

long probe_strtol(const char *s, char **end, int base)
{
    return strtol_at(s, end, base, PROBE_CALLER);
}
unsigned long probe_strtoul(const char *s, char **end, int base)
{
    return strtoul_at(s, end, base, PROBE_CALLER);
}
double probe_strtod(const char *s, char **end) { return strtod_at(s, end, PROBE_CALLER); }
float probe_strtof(const char *s, char **end) { return strtof_at(s, end, PROBE_CALLER); }
int probe_atoi(const char *s) { return (int)strtol_at(s, NULL, 10, PROBE_CALLER); }

/* ---- formats --------------------------------------------------------------------------------- */

/* One conversion: C11 7.21.6. */
struct conversion {
    char kind;           /* its letter; 0: none that is known */
    bool suppressed;     /* scanf's * */
    int width_arguments; /* printf's: the width's and the precision's */
    bool precise, precision_argument;
    size_t number; /* scanf's width, printf's precision; 0: none */
    size_t bytes;  /* of an integer, by its length */
    bool l, L;
};

#define INTEGERS "dioxXu"
#define REALS    "aAeEfFgG"
static bool one_of(char kind, const char *kinds) { return kind && strchr(kinds, kind); }

static const char *digits(const char *f, size_t *number)
{
    for (*number = 0; *f >= '0' && *f <= '9'; f++) *number = *number * 10 + (size_t)(*f - '0');
    return f;
}

static const char *length(const char *f, struct conversion *c)
{
    c->bytes = sizeof(int);
    for (;; f++) switch (*f) {
        case 'h': c->bytes /= 2; break;
        case 'L': c->L = true; /* fallthrough */
        case 'l': c->l = true; /* fallthrough */
        case 'q':
        case 'j':
        case 'z':
        case 't': c->bytes = sizeof(long); break;
        default: return f;
        }
}

/* Behind the % at f; returns where the format goes on. */
static const char *printed(const char *f, struct conversion *c)
{
    size_t width;
    *c = (struct conversion){0};
    f += strspn(f, "-+ #0'I");
    if (*f == '*') c->width_arguments++, f++;
    f = digits(f, &width);
    if (*f == '.') {
        c->precise = true;
        if (*++f == '*') c->precision_argument = true, f++;
        f = digits(f, &c->number);
    }
    f = length(f, c);
    if (*f && *f != '$') c->kind = *f++;
    return f;
}

static const char *scanned(const char *f, struct conversion *c)
{
    *c = (struct conversion){0};
    if (*f == '*') c->suppressed = true, f++;
    f = digits(f, &c->number);
    if (*f == 'm') c->precise = true, f++; /* allocates */
    f = length(f, c);
    if (*f && *f != '$') c->kind = *f++;
    if (c->kind != '[') return f;
    if (*f == '^') f++;
    if (*f == ']') f++;
    f += strcspn(f, "]");
    return *f ? f + 1 : f;
}

/* What a conversion executes beside its call; tests/library counts it. */
static void execute(const struct conversion *c, bool print, uintptr_t pc)
{
    if (one_of(c->kind, INTEGERS "p"))
        probe_execute(print ? "print_integer" : "scan_integer", 1, pc);
    else if (one_of(c->kind, REALS))
        probe_execute(print ? "print_real" : "scan_real", 1, pc);
    else if (one_of(c->kind, "sc["))
        probe_execute(print ? "print_text" : "scan_text", 1, pc);
}

/* The texts that printf will read; `done`: the counts that it has stored. */
static void look_printed(const char *format, va_list args, bool done, uintptr_t pc)
{
    struct conversion c;
    for (const char *f = format; (f = strchr(f, '%')) != NULL;) {
        f = printed(f + 1, &c);
        for (int i = 0; i < c.width_arguments; i++) (void)va_arg(args, int);
        int precision = c.precision_argument ? va_arg(args, int) : (int)c.number;
        if (done) execute(&c, true, pc);
        if (one_of(c.kind, "%m")) continue;
        if (one_of(c.kind, INTEGERS "c")) {
            c.bytes == sizeof(long) ? (void)va_arg(args, long) : (void)va_arg(args, int);
        } else if (one_of(c.kind, REALS)) {
            c.L ? (void)va_arg(args, long double) : (void)va_arg(args, double);
        } else if (one_of(c.kind, "pn")) {
            void *at = va_arg(args, void *);
            if (done && c.kind == 'n') probe_stored(at, c.bytes, pc);
        } else if (c.kind == 's') {
            const char *text = va_arg(args, const char *);
            size_t most = c.precise && precision >= 0 ? (size_t)precision : PTRDIFF_MAX;
            if (!done && !c.l && most > 0) look_text(text, most, pc);
        } else {
            return;
        }
    }
}

static void look_format(const char *format, va_list args, bool done, uintptr_t pc)
{
    va_list again;
    if (!probe_active()) return;
    va_copy(again, args);
    look_printed(format, again, done, pc);
    va_end(again);
}

/* The body of one that prints: `call` takes the arguments from `again`. */
#define PRINTED(call)                                                                              \
    va_list again;                                                                                 \
    look_format(format, args, false, pc);                                                          \
    va_copy(again, args);                                                                          \
    int all = call;                                                                                \
    va_end(again);                                                                                 \
    look_format(format, args, true, pc);                                                           \
    return all

static size_t scanned_bytes(const struct conversion *c, const char *at)
{
    if (c->precise || c->kind == 'p') return sizeof(void *);
    if (one_of(c->kind, INTEGERS "n")) return c->bytes;
    if (one_of(c->kind, REALS))
        return c->L ? sizeof(long double) : c->l ? sizeof(double) : sizeof(float);
    if (c->l) return 0;
    if (c->kind == 'c') return c->number ? c->number : 1;
    return one_of(c->kind, "s[") ? strlen(at) + 1 : 0;
}

static void store_scanned(const char *format, va_list args, int assigned, uintptr_t pc)
{
    struct conversion c;
    for (const char *f = format; (f = strchr(f, '%')) != NULL;) {
        f = scanned(f + 1, &c);
        if (c.kind == 0 || (assigned <= 0 && c.kind != 'n')) return;
        execute(&c, false, pc);
        if (c.suppressed || c.kind == '%') continue;
        char *at = va_arg(args, char *);
        if (c.kind != 'n') assigned--;
        size_t n = scanned_bytes(&c, at);
        if (n > 0) probe_store_again(at, n, pc);
    }
}

int probe_vscanf(const char *text, FILE *file, const char *format, va_list args, uintptr_t pc)
{
    va_list again;
    if (text && probe_active()) look_text(text, PTRDIFF_MAX, pc);
    va_copy(again, args);
    int assigned = text ? vsscanf(text, format, args) : vfscanf(file, format, args);
    if (probe_active()) store_scanned(format, again, assigned, pc);
    va_end(again);
    return assigned;
}

int probe_vfprintf(FILE *file, const char *format, va_list args, uintptr_t pc)
{
    PRINTED(vfprintf(file, format, again));
}

int probe_vdprintf(int file, const char *format, va_list args, uintptr_t pc)
{
    PRINTED(vdprintf(file, format, again));
}

static int printed_nowhere(const char *format, va_list args, uintptr_t pc)
{
    PRINTED(vsnprintf(NULL, 0, format, again));
}

static int printed_anew(char **text, const char *format, va_list args, uintptr_t pc)
{
    PRINTED(vasprintf(text, format, again));
}

/* Through a copy of ours, so that the program's memory is only written by stores that are played.
 */
int probe_vsnprintf(char *to, size_t n, const char *format, va_list args, uintptr_t pc)
{
    if (!probe_active()) return vsnprintf(to, n, format, args);
    if (n == 0) return printed_nowhere(format, args, pc);
    char *text = NULL;
    int all = printed_anew(&text, format, args, pc);
    if (all < 0) return all;
    size_t stored = (size_t)all < n ? (size_t)all : n - 1;
    probe_deliver(to, text, stored, pc);
    probe_deliver(to + stored, "", 1, pc);
    free(text);
    return all;
}

int probe_vasprintf(char **to, const char *format, va_list args, uintptr_t pc)
{
    if (!probe_active()) return vasprintf(to, format, args);
    char *text = NULL;
    int all = printed_anew(&text, format, args, pc);
    if (all < 0) return all;
    *to = probe_malloc((size_t)all + 1);
    probe_stored(to, sizeof *to, pc);
    if (*to) probe_deliver(*to, text, (size_t)all + 1, pc);
    free(text);
    return *to ? all : -1;
}
