/* report/source: source lines of sites, from the DWARF of the program's file (libdw): the ranks'
 * copies are unlinked after loading, so the original is read. */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include "base/base.h"
#include "op/op.h"

/* "halo.c:42" of a site in `program`. A site is a return address (it lies after the call): the
 * instruction before it is looked up. Without line information "main+0x1c", in a library
 * "memcpy+0x1c in libc.so.6", or "?". The string lives until report_clear. */
const char *report_site(const char *program, op_site site);
/* A symbol's name as its program has it: of C++ "queue::push(int)" for "_ZN5queue4pushEi", of
 * others the symbol. It lives for ever; NULL for NULL. */
const char *report_source_name(const char *symbol);
/* Where a site of the program itself lies: file by its path, or NULL and line 0, and the function
 * by its name as above, or NULL. False: nothing is known. The strings live until report_clear. */
struct report_source_place {
    const char *file, *function;
    int line;
};
bool report_source_place(const char *program, op_site site, struct report_source_place *place);
/* The functions that were put in line around a site, the outermost first: an array, which the
 * caller unrefs; strings live until report_clear. */
struct report_source_inlined {
    const char *function, *file; /* file: NULL, it is not known */
    int line, at; /* where it begins; where it would have been called; 0: not known */
};
GArray *report_source_inlined(const char *program, op_site site);
/* At that address of the program (no return address) the word below the one that is called the
 * frame's is what the function returns to: so many bytes from the base pointer, or from the stack
 * pointer. False: it is not known (or the machine is no x86-64). */
struct report_source_frame {
    bool by_base;
    int64_t offset;
};
bool report_source_frame(const char *program, op_site site, struct report_source_frame *frame);
/* Is it in the program's own code? That is no function of a header of the compiler's or the
 * system's, and none that `sidewinder cc` has linked into the program. */
bool report_site_is_users(const char *program, op_site site);
/* "inlined from 'step' at halo.c:40", the innermost first; "" if the site lies in the function of
 * its own line. Own copy. */
char *report_inlined(const char *program, op_site site);
/* "at halo.c:42", or "at a place without a known line". Free with g_free. */
char *report_at(const char *program, op_site site);
/* The name of the static variable of `program` that has the byte at that offset, where in it,
 * and how many bytes it has (MPI's programs may be loaded more than once: the same offset in each).
 * Own copy; NULL: none. */
char *report_variable(const char *program, uint64_t offset, uint64_t *within, uint64_t *bytes);
/* The same of the byte at addr of a variable of the function that makes the call at that site, its
 * stack and base pointer then. */
char *report_local(const char *program, op_site site, uintptr_t stack, uintptr_t base,
                   uintptr_t addr, uint64_t *within);
void report_clear(void);

#endif
