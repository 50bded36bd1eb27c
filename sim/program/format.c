/* Stand-ins for functions that print, scan and read numbers. Those with a list of arguments cannot
 * jump to probe: they tell it where they were called.
 *
 * Each gives its symbol, since <stdio.h> and <stdlib.h> rename those that C99 and C23 have changed.
 */
#include "program/program.h"

#include <stdarg.h>
#include <stdio.h>

#define PC          ((uintptr_t)__builtin_return_address(0))
#define UNPACK(...) __VA_ARGS__

/* A function, its arguments before the format, and the same with a va_list. */
#define WITH_LIST(prefix, name, v_name, before, call)                                              \
    STAND_IN int prefix##stand_in_##v_name(UNPACK before const char *restrict format,              \
                                           va_list args) __asm__(#prefix #v_name);                 \
    STAND_IN int prefix##stand_in_##v_name(UNPACK before const char *restrict format,              \
                                           va_list args)                                           \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    STAND_IN int prefix##stand_in_##name(UNPACK before const char *restrict format,                \
                                         ...) __asm__(#prefix #name);                              \
    STAND_IN int prefix##stand_in_##name(UNPACK before const char *restrict format, ...)           \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        int result = call;                                                                         \
        va_end(args);                                                                              \
        return result;                                                                             \
    }

WITH_LIST(, printf, vprintf, (), probe_calls.vfprintf(stdout, format, args, PC))
WITH_LIST(, fprintf, vfprintf, (FILE *restrict file, ),
          probe_calls.vfprintf(file, format, args, PC))
WITH_LIST(, dprintf, vdprintf, (int file, ), probe_calls.vdprintf(file, format, args, PC))
WITH_LIST(, sprintf, vsprintf, (char *restrict to, ),
          probe_calls.vsnprintf(to, (size_t)INT32_MAX, format, args, PC))
WITH_LIST(, snprintf, vsnprintf, (char *restrict to, size_t n, ),
          probe_calls.vsnprintf(to, n, format, args, PC))
WITH_LIST(, asprintf, vasprintf, (char **restrict to, ),
          probe_calls.vasprintf(to, format, args, PC))

#define SCANF(prefix, name, v_name, before, text, file)                                            \
    WITH_LIST(prefix, name, v_name, before, probe_calls.vscanf(text, file, format, args, PC))
#define SCANFS(prefix)                                                                             \
    SCANF(prefix, scanf, vscanf, (), NULL, stdin)                                                  \
    SCANF(prefix, fscanf, vfscanf, (FILE *restrict file, ), NULL, file)                            \
    SCANF(prefix, sscanf, vsscanf, (const char *restrict text, ), text, NULL)
SCANFS()
SCANFS(__isoc99_)
SCANFS(__isoc23_)

STAND_IN int puts(const char *s) { return probe_calls.puts(s); }

#define NUMBER(prefix, type, name, real, parameters, ...)                                          \
    STAND_IN type prefix##stand_in_##name(const char *restrict s UNPACK parameters) __asm__(       \
        #prefix #name);                                                                            \
    STAND_IN type prefix##stand_in_##name(const char *restrict s UNPACK parameters)                \
    {                                                                                              \
        return (type)probe_calls.real(s, __VA_ARGS__);                                             \
    }
#define INTEGER(prefix, type, name, real)                                                          \
    NUMBER(prefix, type, name, real, (, char **restrict end, int base), end, base)
#define INTEGERS(prefix)                                                                           \
    INTEGER(prefix, long, strtol, strtol)                                                          \
    INTEGER(prefix, long long, strtoll, strtol)                                                    \
    INTEGER(prefix, unsigned long, strtoul, strtoul)                                               \
    INTEGER(prefix, unsigned long long, strtoull, strtoul)
INTEGERS()
INTEGERS(__isoc23_)
NUMBER(, double, strtod, strtod, (, char **restrict end), end)
NUMBER(, float, strtof, strtof, (, char **restrict end), end)
STAND_IN int stand_in_atoi(const char *s) __asm__("atoi");
STAND_IN int stand_in_atoi(const char *s) { return probe_calls.atoi(s); }
NUMBER(, long, atol, strtol, (), NULL, 10)
NUMBER(, long long, atoll, strtol, (), NULL, 10)
NUMBER(, double, atof, strtod, (), NULL)
