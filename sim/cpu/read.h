/* The reader of records; inside cpu. */
#ifndef CPU_READ_H
#define CPU_READ_H

#include "cpu/cpu.h"

/* Of one record. */
struct cpu_reader {
    const unsigned char *bytes, *at, *end;
    const char *wrong; /* the first thing that was */
    struct cpu_object *object;
    uint32_t file;        /* of the operation before */
    uint32_t total, next; /* blocks of the record; the one that the next function begins with */
    /* the blocks of the function, from `first` on, are numbered from `base` on in the object */
    uint32_t first, blocks, base;
};
/* At the first record of so many bytes; object NULL: there is none, `wrong` says why, or but
 * zeros. The caller frees the object. */
struct cpu_reader cpu_reader_at(const unsigned char *bytes, size_t left);
/* Of the reader's record, one behind the other: what comes before its functions, of which it
 * returns the number; each of them, appended to what the object has; that they were all. */
uint32_t cpu_read_head(struct cpu_reader *r);
void cpu_read_function(struct cpu_reader *r);
void cpu_read_end(struct cpu_reader *r);
/* What was wrong; the record begins behind so many bytes of its section. */
void cpu_read_refuse(const struct cpu_reader *r, const char *where, size_t before, GError **error);
/* The callees: functions of those names, and of the others the library's. */
void cpu_find_callees(const struct cpu_object *object, GHashTable *own);
/* The sections of an ELF file that have records: an array of GBytes. NULL: *error. */
GPtrArray *cpu_sections(const char *path, GError **error);
/* A file without records. */
void cpu_read_none(const char *path, GError **error);

#endif
