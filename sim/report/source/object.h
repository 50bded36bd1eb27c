/* object: the ELF files in which sites lie, each read once. Inside report/source, not a door. */
#ifndef REPORT_SOURCE_OBJECT_H
#define REPORT_SOURCE_OBJECT_H

#include "report/source/source.h"

#include <elfutils/libdwfl.h>

struct report_source_object {
    Dwfl *dwfl; /* NULL: no ELF file could be read there */
    Dwfl_Module *module;
    GHashTable *line; /* offset -> text */
};

/* Of the file at that path. */
struct report_source_object *report_source_open(const char *path);
/* What the site lies in, the program or a library of which ranks have copies, and where in there.
 * NULL: in neither. */
const struct report_source_object *report_source_of(const char *program, op_site site,
                                                    GElf_Addr *pc);
void report_source_objects_clear(void);

#endif
