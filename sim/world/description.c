/* The run description that `sidewinder run` writes: a GLib key file. */
#include "world/build.h"

static const char group[] = "run";

static char *text(GKeyFile *file, const char *key)
{
    char *value = g_key_file_get_string(file, group, key, NULL);
    if (value && *value == '\0') g_clear_pointer(&value, g_free);
    return value;
}

bool world_description_read(struct world_description *d, const char *path, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, error)) return false;
    *d = (struct world_description){
        .program = text(file, "program"),
        .loaded = text(file, "loaded"),
        .text = text(file, "text"),
        .machine = text(file, "machine"),
        .machine_name = text(file, "machine_name"),
        .hostfile = text(file, "hostfile"),
        .tmpdir = text(file, "tmpdir"),
        .command = text(file, "command"),
        .libraries = g_key_file_get_string_list(file, group, "libraries", NULL, NULL),
        .report = text(file, "report"),
        .json = text(file, "json"),
        .trace = text(file, "trace"),
        .profile = text(file, "profile"),
        .graph = text(file, "graph"),
        .set = g_key_file_get_string_list(file, group, "set", NULL, NULL),
        .watch = g_key_file_get_string_list(file, group, "watch", NULL, NULL),
        .pair = g_key_file_get_string_list(file, group, "pair", NULL, NULL),
        .order = text(file, "order"),
        .uninstrumented = g_key_file_get_string_list(file, group, "uninstrumented", NULL, NULL),
        .ranks = g_key_file_get_integer(file, group, "ranks", NULL),
        .quantum_s = g_key_file_get_double(file, group, "quantum_s", NULL),
        .colour = g_key_file_get_boolean(file, group, "colour", NULL),
        .progress = g_key_file_get_boolean(file, group, "progress", NULL),
        .check = g_key_file_get_boolean(file, group, "check", NULL),
        .debugged = g_key_file_get_boolean(file, group, "debugged", NULL),
        .label = g_key_file_get_boolean(file, group, "label", NULL),
        .check_memory = g_key_file_get_boolean(file, group, "check_memory", NULL),
        .profile_hits = g_key_file_get_boolean(file, group, "profile_hits", NULL),
        .critical_path = g_key_file_get_boolean(file, group, "critical_path", NULL),
        .check_exit = g_key_file_get_integer(file, group, "check_exit", NULL),
        .rules = text(file, "rules"),
    };
    if (d->program && d->machine && d->hostfile && d->tmpdir && d->ranks > 0) return true;
    g_set_error(
        error, BASE_ERROR, BASE_ERROR_FILE,
        "%s: not a run description (program, machine, hostfile, tmpdir and ranks are needed)",
        path);
    return false;
}

void world_description_clear(struct world_description *d)
{
    g_free(d->program);
    g_free(d->loaded);
    g_free(d->text);
    g_free(d->machine);
    g_free(d->machine_name);
    g_free(d->hostfile);
    g_free(d->tmpdir);
    g_free(d->command);
    g_strfreev(d->libraries);
    g_free(d->report);
    g_free(d->json);
    g_free(d->trace);
    g_free(d->profile);
    g_free(d->graph);
    g_free(d->rules);
    g_strfreev(d->set);
    g_strfreev(d->uninstrumented);
    g_strfreev(d->watch);
    g_strfreev(d->pair);
    g_free(d->order);
    *d = (struct world_description){0};
}
