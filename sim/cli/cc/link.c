/* Linking: a program that the kernel can start and SMPI can load once a rank.
 *
 * SMPI opens a private copy of the program for each rank, so a program is a shared object; C's
 * start file and an interpreter (in the program object) make it executable as well, which
 * autoconf's and CMake's tests need. Sources on the same command line are compiled one by one, each
 * with the flags of its language.
 */
#include "cli/cc/parts.h"
#include "cli/common/common.h"
#include "cli/common/output.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOTES_MOST = 8, REFUSED = 1 << 8 /* wait status of exit code 1 */ };

struct linking {
    const struct cli_cc_line *line;
    char **compiler;
    const struct cli_cc_place *place;
    char *folder;      /* ours, for objects */
    GPtrArray *object; /* of each source, in order */
};

static void say(GPtrArray *argv, const char *word) { g_ptr_array_add(argv, g_strdup(word)); }

static GPtrArray *command(const struct linking *l)
{
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    for (char **word = l->compiler; *word; word++) say(argv, *word);
    return argv;
}

/* Runs it, or prints what would run. */
static int start(const struct linking *l, GPtrArray *argv, char **output)
{
    if (l->line->show == CLI_CC_RUN) return cli_cc_child(argv, output);
    cli_cc_print(argv);
    return 0;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* gcc names the file of -MD after the program, its target too (gcc manual, -MD and Overall Options,
 * "auxiliary outputs"). */
static void name_dependencies(const struct cli_cc_line *line, const char *source, GPtrArray *argv)
{
    if (!line->dependencies) return;
    g_autofree char *base = g_path_get_basename(source);
    char *dot = strrchr(base, '.');
    if (dot) *dot = '\0';
    if (!line->mf) {
        say(argv, "-MF");
        g_ptr_array_add(argv, line->output ? g_strdup_printf("%s.d", line->output)
                                           : g_strdup_printf("a-%s.d", base));
    }
    if (!line->mt) {
        say(argv, "-MT");
        g_ptr_array_add(argv,
                        line->output ? g_strdup(line->output) : g_strdup_printf("%s.o", base));
    }
}

/* gcc names what else a compilation writes (-save-temps, --coverage, -fdump-...) after the program
 * and the source (gcc manual, Overall Options, -dumpdir). */
static void name_dumps(const struct cli_cc_line *line, const char *source, GPtrArray *argv)
{
    for (size_t i = 0; i < line->words; i++)
        if (g_str_has_prefix(line->word[i].text, "-dump")) return;
    const char *dot = strrchr(source, '.');
    say(argv, "-dumpdir");
    g_ptr_array_add(argv, g_strdup_printf("%s-", line->output ? line->output : "a"));
    say(argv, "-dumpbase");
    say(argv, source);
    if (!dot || dot == source) return;
    say(argv, "-dumpbase-ext");
    say(argv, dot);
}

static int compile(struct linking *l, const struct cli_cc_word *source)
{
    const struct cli_cc_line *line = l->line;
    g_autoptr(GPtrArray) argv = command(l);
    bool fortran = cli_cc_word_fortran(source);
    say(argv, "-c");
    cli_cc_add_before(argv, line, l->place, fortran);
    for (size_t i = 0; i < line->words; i++)
        if (line->word[i].kind == CLI_CC_OPTION || line->word[i].kind == CLI_CC_COMPILING)
            say(argv, line->word[i].text);
    cli_cc_add_includes(argv, l->place, fortran);
    cli_cc_add_after(argv, l->place, fortran);
    name_dependencies(line, source->text, argv);
    if (source->language) {
        say(argv, "-x");
        say(argv, source->language);
    }
    say(argv, source->text);
    g_autofree char *base = g_path_get_basename(source->text);
    name_dumps(line, base, argv);
    char *object = g_strdup_printf("%s/%s-%u.o", l->folder, base, l->object->len);
    g_ptr_array_add(l->object, object);
    say(argv, "-o");
    say(argv, object);
    return start(l, argv, NULL);
}

/* All of them, as gcc does, even when one fails: the status of the first that did. */
static int compile_all(struct linking *l)
{
    int failed = 0;
    for (size_t i = 0; i < l->line->words; i++) {
        if (l->line->word[i].kind != CLI_CC_SOURCE) continue;
        int status = compile(l, &l->line->word[i]);
        if (failed == 0) failed = status;
        if (status < 0 || WIFSIGNALED(status)) break;
    }
    return failed;
}

/* ---- linking --------------------------------------------------------------------------------- */

static void add_program(const struct linking *l, GPtrArray *argv)
{
    say(argv, "-shared");
    /* as for any program, what is not defined is an error */
    say(argv, "-Wl,-z,defs");
    /* each copy uses its own variables and functions */
    say(argv, "-Wl,-Bsymbolic");
    say(argv, "-Wl,-z,noseparate-code");           /* fewer pages a copy: every rank has them all */
    say(argv, "-Wl,--defsym,sw_program_marker=1"); /* `sidewinder run` looks for it */
    /* and the program object's constructor (start.c) */
    say(argv, "-Wl,--defsym,sw_program=1");
    if (l->line->no_start) return;
    say(argv, "-Wl,-e,_start");
    say(argv, l->place->start_object);
}

static void add_words(const struct linking *l, GPtrArray *argv)
{
    guint source = 0;
    for (size_t i = 0; i < l->line->words; i++) {
        const struct cli_cc_word *word = &l->line->word[i];
        switch (word->kind) {
        case CLI_CC_SOURCE: say(argv, g_ptr_array_index(l->object, source++)); break;
        case CLI_CC_OPTION:
        case CLI_CC_LINKING:
        case CLI_CC_OBJECT:
        case CLI_CC_OUTPUT: say(argv, word->text); break;
        case CLI_CC_COMPILING:
        case CLI_CC_LANGUAGE:
        case CLI_CC_DROPPED: break;
        }
    }
}

/* A C program may name the library itself, for objects in Fortran. */
static bool uses_fortran(const struct linking *l)
{
    for (size_t i = 0; i < l->line->words; i++)
        if (strcmp(l->line->word[i].text, "-lgfortran") == 0) return true;
    return l->place->fortran;
}

/* What the linker printed besides its list is passed on to the user. */
static char *take_list(const char *output)
{
    GString *list = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
    for (char **text = lines; *text; text++) {
        if (!**text) continue;
        if (**text == '/' || **text == '(' || access(*text, F_OK) == 0)
            g_string_append_printf(list, "%s\n", *text);
        else
            puts(*text);
    }
    fflush(stdout);
    return g_string_free(list, FALSE);
}

/* note: an object to be linked too, or NULL. list: the linker's files, or NULL. */
static int link_once(const struct linking *l, const char *note, char **list)
{
    const struct cli_cc_line *line = l->line;
    g_autoptr(GPtrArray) argv = command(l);
    if (!line->shared && !line->partial) add_program(l, argv);
    add_words(l, argv);
    say(argv, "-fno-lto");
    if (!line->partial) {
        say(argv, uses_fortran(l) ? l->place->fortran_object : l->place->program_object);
        say(argv, l->place->signal_archive); /* members are taken by programs that call them */
        say(argv, l->place->cplusplus_archive);
        say(argv, l->place->profile_archive);
        cli_cc_add_libraries(argv, l->place);
    }
    if (note) say(argv, note);
    if (!list) return start(l, argv, NULL);
    say(argv, "-Wl,-t,-t"); /* twice: the members of archives too */
    g_autofree char *output = NULL;
    int status = cli_cc_child(argv, &output);
    *list = output ? take_list(output) : g_strdup("");
    return status;
}

static void print_notes(const GPtrArray *names)
{
    for (guint i = 0; i < names->len && i < NOTES_MOST; i++)
        fprintf(stderr,
                "sidewinder cc: note: %s is not instrumented: its loads and stores are neither "
                "seen nor charged\n",
                (const char *)g_ptr_array_index(names, i));
    if (names->len > NOTES_MOST)
        fprintf(stderr,
                "sidewinder cc: note: %u more objects are not instrumented; sidewinder run lists "
                "them\n",
                names->len - NOTES_MOST);
}

/* Their names go into the program, for the report. */
static int link_with_note(const struct linking *l, const GPtrArray *names)
{
    g_autofree char *source = g_build_filename(l->folder, "note.s", NULL);
    g_autofree char *object = g_build_filename(l->folder, "note.o", NULL);
    g_autofree char *text = cli_cc_note(names);
    g_autoptr(GError) error = NULL;
    if (!g_file_set_contents(source, text, -1, &error)) {
        fprintf(stderr, "sidewinder cc: %s\n", error->message);
        return -1;
    }
    g_autoptr(GPtrArray) argv = command(l);
    say(argv, "-c");
    say(argv, source);
    say(argv, "-o");
    say(argv, object);
    int status = cli_cc_child(argv, NULL);
    return status == 0 ? link_once(l, object, NULL) : status;
}

/* Objects on the command line that an older version compiled. */
static bool refuse_older(const struct cli_cc_line *line)
{
    bool any = false;
    for (size_t i = 0; i < line->words; i++) {
        if (line->word[i].kind != CLI_CC_OBJECT || !cli_cc_older(line->word[i].text)) continue;
        fprintf(stderr,
                "sidewinder cc: %s was compiled by another version of sidewinder cc: compile it "
                "again\n",
                line->word[i].text);
        any = true;
    }
    return any;
}

static int compile_and_link(struct linking *l)
{
    if (refuse_older(l->line)) return REFUSED;
    int status = compile_all(l);
    if (status != 0) return status;
    if (l->line->partial || l->line->traces || l->line->show != CLI_CC_RUN)
        return link_once(l, NULL, NULL);
    g_autofree char *list = NULL;
    status = link_once(l, NULL, &list);
    if (status != 0) return status;
    g_autoptr(GPtrArray) names = cli_cc_uninstrumented(list, l->place);
    print_notes(names);
    return names->len > 0 && !l->line->shared ? link_with_note(l, names) : 0;
}

static void remove_folder(const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_unlink(path);
    }
    if (dir) g_dir_close(dir);
    g_rmdir(folder);
}

/* Objects of sources would lie in the current folder. */
static int show(const struct cli_cc_line *line, char **compiler, const struct cli_cc_place *place)
{
    struct linking l = {line, compiler, place, ".", g_ptr_array_new_with_free_func(g_free)};
    int status = compile_and_link(&l);
    g_ptr_array_unref(l.object);
    return status;
}

/* The compiler refuses to write over what it reads; compiling and linking apart, it sees no such.
 */
static bool keeps_inputs(const struct cli_cc_line *line, GError **error)
{
    for (size_t i = 0; line->output && i < line->words; i++) {
        const struct cli_cc_word *word = &line->word[i];
        const struct cli_named file[] = {{"-o", line->output}, {"an input file", word->text}};
        if ((word->kind == CLI_CC_SOURCE || word->kind == CLI_CC_OBJECT) &&
            !cli_outputs_apart(file, 1, G_N_ELEMENTS(file), error))
            return false;
    }
    return true;
}

int cli_cc_link(const struct cli_cc_line *line, char **compiler, const struct cli_cc_place *place)
{
    if (line->show != CLI_CC_RUN) return show(line, compiler, place);
    g_autoptr(GError) error = NULL;
    if (!keeps_inputs(line, &error)) {
        fprintf(stderr, "sidewinder cc: %s\n", error->message);
        return CLI_FAILED << 8;
    }
    cli_cc_hold_signals();
    struct linking l = {line, compiler, place, g_dir_make_tmp("sidewinder-cc-XXXXXX", &error),
                        NULL};
    int status = -1;
    if (l.folder) {
        l.object = g_ptr_array_new_with_free_func(g_free);
        status = compile_and_link(&l);
        g_ptr_array_unref(l.object);
        remove_folder(l.folder);
        g_free(l.folder);
    } else {
        fprintf(stderr, "sidewinder cc: no folder for temporary files (TMPDIR says where): %s\n",
                error->message);
    }
    cli_cc_release_signals();
    return status;
}
