/* What the files of mach share; not included from other rooms. */
#ifndef MACH_PARTS_H
#define MACH_PARTS_H

#include "mach/mach.h"

/* keys.c */
size_t mach_key_find(const char *name); /* mach_keys(): no such key */
/* " (did you mean ...?)" and where to look. Free with g_free */
char *mach_key_unknown(const char *name);

/* read.c: fills name, doc and the texts, lines and sources of m->value from the file m->file. */
bool mach_read(struct mach *m, GError **error);

/* pipeline.c: is it a text of that kind? */
bool mach_parse_text(enum mach_kind kind, const char *text, GError **error);
const char *mach_text_accepts(enum mach_kind kind);

/* check.c: turns the texts into numbers, then looks at the whole. */
bool mach_resolve(struct mach *m, GError **error);
bool mach_check(struct mach *m, int ranks, GError **error);

#endif
