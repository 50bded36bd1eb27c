/* The plugin: gcc loads it for `sidewinder cc` (-fplugin=) and asks it to begin.
 *
 * It fits one compiler: gcc's plugins are compiled against its own headers, so version and
 * configuration are compared (GCC internals, Plugins). `sidewinder cc` has asked before
 * (cli/cc/fits.c); here is the last word.
 */
#include "instrument/pass.h"

#include "instrument/describe.h"
#include "instrument/make.h"
#include "instrument/touch.h"

#define EXPORT __attribute__((visibility("default")))

extern EXPORT int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;

static void end_function(void *, void *) { make_addressable_no_more(); }

/* Every object says that it is ours, and which version's: cli/cc/objects.c reads it. */
static void mark_object(void *, void *) { describe_write(asm_out_file); }

static void insert(opt_pass *own, enum pass_positioning_ops where, const char *other,
                   const char *plugin)
{
    register_pass_info pass;
    pass.pass = own;
    pass.reference_pass_name = other;
    pass.ref_pass_instance_number = 1;
    pass.pos_op = where;
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
}

EXPORT int plugin_init(struct plugin_name_args *arguments, struct plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("the plugin of %<sidewinder cc%> was made for gcc %s and this is gcc %s: build "
              "sidewinder with this compiler",
              gcc_version.basever, version->basever);
        return 1;
    }
    const char *name = arguments->base_name;
    for (int i = 0; i < arguments->argc; i++) {
        if (strcmp(arguments->argv[i].key, "no-strips") == 0) strip_none = true;
    }
    announce_register_roots(name);
    /* the next one moves what a loop does not change out of it */
    insert(pass_new_loops(), PASS_POS_INSERT_AFTER, "laddress", name);
    /* merges blocks that are alike when it is done */
    insert(pass_new_lines(), PASS_POS_INSERT_BEFORE, "pre", name);
    insert(pass_new(), PASS_POS_INSERT_BEFORE, "optimized", name);
    register_callback(name, PLUGIN_PRE_GENERICIZE, ends_note_variables, NULL);
    register_callback(name, PLUGIN_ALL_IPA_PASSES_START, motion_look_for_buffers, NULL);
    register_callback(name, PLUGIN_ALL_PASSES_END, end_function, NULL);
    register_callback(name, PLUGIN_FINISH_UNIT, mark_object, NULL);
    return 0;
}
