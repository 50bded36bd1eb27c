/* program: how the stand-ins for the Fortran library are made (fortran.c, fortran_arrays.c). */
#ifndef PROGRAM_FORTRAN_H
#define PROGRAM_FORTRAN_H

#include "program/program.h"

#include <stddef.h>

/* An array, as libgfortran/libgfortran.h has it. */
struct descriptor {
    char *base;
    size_t offset, element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dim[15];
};

#pragma GCC visibility push(hidden)
/* The library's function of that name. */
void *program_library(const char *name);
/* Plays the loads of an array's elements, or whole runs of them. */
void program_load_array(const struct descriptor *d, uintptr_t pc);
/* An array that the library has just stored: each run is announced and stored once more, since a
 * store has to follow its announcement. */
void program_store_array(const struct descriptor *d, uintptr_t pc);
/* The library executes as much as a call of the function for each of the array's elements. */
void program_execute_elements(const struct descriptor *d, const char *function, uintptr_t pc);
#pragma GCC visibility pop

#define PC     ((uintptr_t)__builtin_return_address(0))
#define HIDDEN __attribute__((visibility("hidden")))
/* One function of the library: `how` plays what it does to the program's memory, then it does it.
 */
#define PLAYED(type, answer, name, how, parameters, ...)                                           \
    HIDDEN type name parameters;                                                                   \
    HIDDEN type name parameters                                                                    \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real) *(void **)&real = program_library(#name);                                       \
        if (probe_calls.simulated()) {                                                             \
            how;                                                                                   \
        }                                                                                          \
        answer real(__VA_ARGS__);                                                                  \
    }
#define FUNCTION(type, ...) PLAYED(type, return, __VA_ARGS__)
#define PROCEDURE(...)      PLAYED(void, , __VA_ARGS__)
/* One that stores where only it knows in which order: `then` plays its stores afterwards. */
#define STORING(name, how, then, parameters, ...)                                                  \
    HIDDEN void name parameters;                                                                   \
    HIDDEN void name parameters                                                                    \
    {                                                                                              \
        static void(*real) parameters;                                                             \
        if (!real) *(void **)&real = program_library(#name);                                       \
        bool simulated = probe_calls.simulated(), mine = false;                                    \
        if (simulated) {                                                                           \
            how;                                                                                   \
        }                                                                                          \
        real(__VA_ARGS__);                                                                         \
        if (simulated) {                                                                           \
            (void)mine;                                                                            \
            then;                                                                                  \
        }                                                                                          \
    }

#endif
