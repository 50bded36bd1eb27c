/* ELF files with what describes their code (object.h). No debuginfod, no separate debug files: a
 * report must not wait for a network, nor differ between hosts. */
#include "report/source/object.h"
#include "base/copies/copies.h"

#include <dlfcn.h>

static GHashTable *objects; /* path -> struct object; the only state of report */

static int no_separate_file(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                            const char *file, const char *link, GElf_Word crc, char **debug)
{
    (void)module, (void)userdata, (void)name, (void)base, (void)file, (void)link, (void)crc,
        (void)debug;
    return -1;
}

static void object_free(gpointer data)
{
    struct report_source_object *object = data;
    if (object->dwfl) dwfl_end(object->dwfl);
    g_hash_table_unref(object->line);
    g_free(object);
}

struct report_source_object *report_source_open(const char *path)
{
    static const Dwfl_Callbacks callbacks = {
        .find_debuginfo = no_separate_file,
        .section_address = dwfl_offline_section_address,
    };
    if (!objects) objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, object_free);
    struct report_source_object *object = g_hash_table_lookup(objects, path);
    if (object) return object;
    object = g_new0(struct report_source_object, 1);
    object->line = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    object->dwfl = dwfl_begin(&callbacks);
    if (object->dwfl) {
        object->module = dwfl_report_offline(object->dwfl, path, path, -1);
        dwfl_report_end(object->dwfl, NULL, NULL);
    }
    g_hash_table_insert(objects, g_strdup(path), object);
    return object;
}

const struct report_source_object *report_source_of(const char *program, op_site site,
                                                    GElf_Addr *pc)
{
    GElf_Addr address = site & ~OP_SITE_FOREIGN, bias;
    Dl_info info;
    if (site & OP_SITE_FOREIGN) {
        if (!dladdr((void *)(uintptr_t)(address - 1), &info)) return NULL;
        program = base_copies_file(info.dli_fname);
        if (program == info.dli_fname) return NULL;
        address -= (uintptr_t)info.dli_fbase;
    }
    const struct report_source_object *object =
        site && program ? report_source_open(program) : NULL;
    if (!object || !object->module || !dwfl_module_getelf(object->module, &bias)) return NULL;
    *pc = address + bias;
    return object;
}

void report_source_objects_clear(void) { g_clear_pointer(&objects, g_hash_table_destroy); }
