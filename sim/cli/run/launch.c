/* Starting the simulator: the folder with the run's description, and the child. */
#include "cli/common/child.h"
#include "cli/run/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* run.ini is text. */
static bool is_text(GKeyFile *file, GError **error)
{
    g_auto(GStrv) keys = g_key_file_get_keys(file, "run", NULL, NULL);
    for (char **key = keys; *key; key++) {
        g_autofree char *value = g_key_file_get_value(file, "run", *key, NULL);
        if (g_utf8_validate(value, -1, NULL)) continue;
        g_autofree char *shown = g_strescape(value, NULL);
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s %s is not a name in UTF-8", *key,
                    shown);
        return false;
    }
    return true;
}

/* The names by which they are asked for, what is loaded of them, their files (kern/copies). */
static void write_libraries(const char *folder, GKeyFile *file, bool debugged)
{
    g_auto(GStrv) need = g_key_file_get_string_list(file, "run", CLI_RUN_NEEDS, NULL, NULL);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; need && need[i]; i += 2) {
        g_autofree char *place = g_strdup_printf("library-%d", i / 2);
        char *loaded = debugged ? NULL : cli_run_loaded(need[i + 1], folder, place, NULL);
        g_ptr_array_add(list, g_strdup(need[i]));
        g_ptr_array_add(list, loaded ? loaded : g_strdup(need[i + 1]));
        g_ptr_array_add(list, g_strdup(need[i + 1]));
    }
    g_key_file_set_string_list(file, "run", "libraries", (const char *const *)list->pdata,
                               list->len);
}

static char *write_folder(const char *folder, GKeyFile *file, const struct mach *m, int ranks,
                          bool debugged, GError **error)
{
    g_autofree char *platform = g_build_filename(folder, "platform.xml", NULL);
    g_autofree char *hostfile = g_build_filename(folder, "hostfile", NULL);
    char *ini = g_build_filename(folder, "run.ini", NULL);
    g_key_file_set_string(file, "run", "machine", platform);
    g_key_file_set_string(file, "run", "hostfile", hostfile);
    g_key_file_set_string(file, "run", "tmpdir", folder);
    if (!is_text(file, error)) {
        g_free(ini);
        return NULL;
    }
    /* a library's constructors run first, and call what the program has of their functions */
    g_auto(GStrv) need = g_key_file_get_string_list(file, "run", CLI_RUN_NEEDS, NULL, NULL);
    const bool alike = !need || !need[0];
    g_autofree char *program = g_key_file_get_string(file, "run", "program", NULL), *text = NULL,
                    *loaded = debugged
                                  ? NULL
                                  : cli_run_loaded(program, folder, "loaded", alike ? &text : NULL);
    if (loaded) g_key_file_set_string(file, "run", "loaded", loaded);
    if (text) g_key_file_set_string(file, "run", "text", text);
    write_libraries(folder, file, debugged);
    if (mach_write_platform(m, ranks, platform, error) &&
        mach_write_hostfile(m, ranks, hostfile, error) && g_key_file_save_to_file(file, ini, error))
        return ini;
    g_free(ini);
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

static char *simulator(GError **error)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", error);
    if (!self) return NULL;
    g_autofree char *folder = g_path_get_dirname(self);
    /* built, installed */
    static const char *const place[] = {"../libexec/sidewinder-sim",
                                        "../libexec/sidewinder/sidewinder-sim"};
    for (size_t i = 0; i < G_N_ELEMENTS(place); i++) {
        g_autofree char *path = g_canonicalize_filename(place[i], folder);
        if (access(path, X_OK) == 0) return g_steal_pointer(&path);
    }
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                "the simulator, sidewinder-sim, is not beside %s: build or install again", self);
    return NULL;
}

/* The debugger's words, before the simulator's. False: *error. */
static bool add_debugger(GPtrArray *argv, const char *command, GError **error)
{
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) why = NULL;
    char *found = NULL;
    if (g_shell_parse_argv(command, NULL, &words, &why)) found = g_find_program_in_path(words[0]);
    if (!found) {
        bool gdb = words && strcmp(words[0], "gdb") == 0;
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "--debugger %s: %s%s",
                    gdb ? "gdb" : command, why ? why->message : "not found in PATH",
                    gdb ? " (Debian: gdb)" : "");
        return false;
    }
    g_ptr_array_add(argv, found);
    for (char **word = words + 1; *word; word++) g_ptr_array_add(argv, g_strdup(*word));
    g_autofree char *name = g_path_get_basename(found);
    /* or it would take what follows for its own */
    if (strcmp(name, "gdb") == 0) g_ptr_array_add(argv, g_strdup("--args"));
    return true;
}

/* The loader looks there first: the ranks' copies of libraries lie in the folder, and what the
 * program and its libraries look for beside themselves does not lie beside their copies. */
static void show_libraries(const char *folder, GKeyFile *file)
{
    g_auto(GStrv) need = g_key_file_get_string_list(file, "run", CLI_RUN_NEEDS, NULL, NULL);
    g_autofree char *program = g_key_file_get_string(file, "run", "program", NULL);
    g_autoptr(GPtrArray) place = g_ptr_array_new_with_free_func(g_free);
    char *beside = cli_run_beside(program);
    const bool copies = need && need[0];
    const char *before = g_getenv("LD_LIBRARY_PATH");
    if (copies) g_ptr_array_add(place, g_strdup(folder));
    if (beside) g_ptr_array_add(place, beside);
    for (int i = 0; copies && need[i]; i += 2) {
        char *its = cli_run_beside(need[i + 1]);
        if (its) g_ptr_array_add(place, its);
    }
    if (place->len == 0) return;
    if (before) g_ptr_array_add(place, g_strdup(before));
    g_ptr_array_add(place, NULL);
    g_autofree char *places = g_strjoinv(":", (char **)place->pdata);
    g_setenv("LD_LIBRARY_PATH", places, TRUE);
    /* or a rank's lines come when the run ends */
    if (cli_run_fortran(need)) g_setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", FALSE);
}

int cli_run_launch(const char *folder, GKeyFile *file, const struct mach *m, const char *debugger,
                   char **arguments, bool quiet, GError **error)
{
    int ranks = g_key_file_get_integer(file, "run", "ranks", NULL);
    char *binary = simulator(error),
         *ini = binary ? write_folder(folder, file, m, ranks, debugger != NULL, error) : NULL;
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    bool good = ini && (!debugger || add_debugger(argv, debugger, error));
    if (binary) g_ptr_array_add(argv, binary);
    if (ini) g_ptr_array_add(argv, ini);
    if (!good) return -1;
    for (char **argument = arguments; *argument; argument++)
        g_ptr_array_add(argv, g_strdup(*argument));
    g_ptr_array_add(argv, NULL);
    show_libraries(folder, file);
    fflush(NULL);
    if (!quiet) return cli_child_run((char **)argv->pdata);
    return cli_child_run_quietly((char **)argv->pdata, folder, "/dev/null", "/dev/null");
}
