/* A sweep's programs, compiled, and the digests that name the points' records. */
#include "cli/common/common.h"
#include "cli/common/child.h"
#include "cli/run/run.h"
#include "cli/sweep/parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- digests --------------------------------------------------------------------------------- */

static bool add_file(GChecksum *sum, const char *path, GError **error)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
    if (file)
        g_checksum_update(sum, (const guchar *)g_mapped_file_get_contents(file),
                          (gssize)g_mapped_file_get_length(file));
    return file != NULL;
}

static char *file_digest(const char *path, GError **error)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    char *digest = add_file(sum, path, error) ? g_strdup(g_checksum_get_string(sum)) : NULL;
    g_checksum_free(sum);
    return digest;
}

/* A simulator built anew under the same version must not find the old one's records. */
char *cli_engine_digest(const char *self, GError **error)
{
    static const char *const part[] = {"../libexec/sidewinder-sim",
                                       "../libexec/sidewinder/sidewinder-sim",
                                       "../lib/libsidewinder.so"};
    g_autofree char *folder = g_path_get_dirname(self);
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    bool fine = true;
    g_checksum_update(sum, (const guchar *)SIDEWINDER_VERSION, -1);
    for (size_t i = 0; i < G_N_ELEMENTS(part) && fine; i++) {
        g_autofree char *path = g_build_filename(folder, part[i], NULL);
        if (access(path, R_OK) == 0) fine = add_file(sum, path, error);
    }
    char *digest = fine ? g_strdup(g_checksum_get_string(sum)) : NULL;
    g_checksum_free(sum);
    return digest;
}

static void add_text(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* All that decides the record: where the program lies does not, what it is does. */
static char *point_digest(const struct cli_sweep *s, const struct cli_point *p)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    const struct cli_program *program = &s->program[p->program];
    add_text(sum, s->engine_digest);
    add_text(sum, program->digest);
    add_text(sum, p->machine_digest);
    for (char **word = p->command; *word; word++)
        add_text(sum, strcmp(*word, program->path) == 0 ? "" : *word);
    for (int i = 0; s->e->column[i]; i++)
        add_text(sum, s->e->column[i]), add_text(sum, s->e->measure[i]);
    char *digest = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return digest;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* False without *error: the compiler failed, *messages is what it said. */
static bool compile_in(struct cli_sweep *s, const struct cli_program *program, const char *folder,
                       char **messages)
{
    guint last = g_strv_length(program->compile) - 1;
    g_autofree char *made = g_build_filename(folder, "program", NULL),
                    *said = g_build_filename(folder, "said", NULL);
    g_autofree char **argv = g_memdup2(program->compile, (last + 2) * sizeof *argv);
    argv[0] = s->self;
    argv[last] = made;
    int status = cli_child_run_quietly(argv, folder, said, said);
    g_file_get_contents(said, messages, NULL, NULL);
    s->stopped = WIFSIGNALED(status) ? WTERMSIG(status) : cli_child_heard();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && rename(made, program->path) == 0;
}

static bool compile(struct cli_sweep *s, const struct cli_program *program, GError **error)
{
    g_autofree char *messages = NULL, *folder = cli_journal_begin(s, error);
    if (!folder) return false;
    bool fine = compile_in(s, program, folder, &messages);
    cli_child_remove(folder);
    if (fine) return true;
    g_autofree char *command = cli_words("", program->compile);
    cli_experiment_refuse(s->e, "experiment", "source", error,
                          "does not compile\n  cd %s && %s\n%s", s->e->folder, command,
                          messages ? g_strchomp(messages) : "");
    return false;
}

bool cli_sweep_compile(struct cli_sweep *s, bool all, GError **error)
{
    for (int i = 0; i < s->programs; i++) {
        struct cli_program *program = &s->program[i];
        g_autoptr(GError) why = NULL;
        if (program->compile && (all || access(program->path, X_OK) != 0) &&
            !compile(s, program, error))
            return false;
        g_autofree char *file =
            program->compile ? g_strdup(program->path) : cli_run_program(program->path, &why);
        program->digest = file ? file_digest(file, &why) : NULL;
        if (program->digest) continue;
        cli_experiment_refuse(s->e, "experiment", program->compile ? "source" : "program", error,
                              "%s", why->message);
        return false;
    }
    for (int i = 0; i < s->points; i++) s->point[i].digest = point_digest(s, &s->point[i]);
    return true;
}
