/* The journal of a sweep: what is finished, so that an interrupted sweep goes on where it was. */
#include "cli/common/child.h"
#include "cli/sweep/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char begun[] = "run-"; /* the folder of a point that is being run */

char *cli_journal_file(const struct cli_sweep *s, const char *name)
{
    return g_build_filename(s->journal, name, NULL);
}

/* ---- opening and removing -------------------------------------------------------------------- */

static bool refuse(const struct cli_sweep *s, const char *what, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(s->output);
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: %s", folder, what);
    return false;
}

/* A sweep that ends renames the journal away: the folder whose lock we got may be that one. */
static bool still_there(int lock, const char *path)
{
    struct stat ours, there;
    return fstat(lock, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

static bool take_lock(struct cli_sweep *s, GError **error)
{
    g_autofree char *path = cli_journal_file(s, "lock");
    for (;;) {
        if (mkdir(s->journal, 0777) != 0 && errno != EEXIST) break;
        int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock < 0 && errno == ENOENT) continue;
        if (lock < 0) break;
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            close(lock);
            return refuse(
                s, errno == EWOULDBLOCK ? "another sweep is running here" : g_strerror(errno),
                error);
        }
        if (still_there(lock, path)) {
            s->lock = lock;
            return true;
        }
        close(lock);
    }
    g_autofree char *what = g_strdup_printf("cannot write here: %s", g_strerror(errno));
    return refuse(s, what, error);
}

/* What a killed sweep left of points it did not finish. */
static void sweep_out(const struct cli_sweep *s)
{
    g_autofree char *old = g_strconcat(s->journal, ".old", NULL);
    g_autoptr(GDir) dir = g_dir_open(s->journal, 0, NULL);
    const char *name;
    if (g_file_test(old, G_FILE_TEST_EXISTS)) cli_child_remove(old);
    while (dir && (name = g_dir_read_name(dir)))
        if (g_str_has_prefix(name, begun)) {
            g_autofree char *path = cli_journal_file(s, name);
            cli_child_remove(path);
        }
}

bool cli_journal_open(struct cli_sweep *s, GError **error)
{
    if (!take_lock(s, error)) return false;
    sweep_out(s);
    return true;
}

void cli_journal_close(struct cli_sweep *s)
{
    if (s->lock >= 0) close(s->lock);
    s->lock = -1;
}

/* By one rename: a sweep killed half way through removing must not find half of the records. */
void cli_journal_remove(struct cli_sweep *s)
{
    g_autofree char *old = g_strconcat(s->journal, ".old", NULL);
    if (g_file_test(old, G_FILE_TEST_EXISTS)) cli_child_remove(old);
    if (rename(s->journal, old) == 0) cli_child_remove(old);
}

char *cli_journal_begin(const struct cli_sweep *s, GError **error)
{
    g_autofree char *name = g_strconcat(begun, "XXXXXX", NULL);
    char *folder = cli_journal_file(s, name);
    if (g_mkdtemp(folder)) return folder;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write in %s: %s", s->journal,
                g_strerror(errno));
    g_free(folder);
    return NULL;
}

int cli_journal_running(const struct cli_sweep *s)
{
    g_autoptr(GDir) dir = g_dir_open(s->journal, 0, NULL);
    const char *name;
    int running = 0;
    while (dir && (name = g_dir_read_name(dir))) running += g_str_has_prefix(name, begun);
    return running;
}

/* ---- records --------------------------------------------------------------------------------- */

bool cli_record_there(const struct cli_sweep *s, const struct cli_point *p)
{
    g_autofree char *path = cli_journal_file(s, p->digest);
    return access(path, F_OK) == 0;
}

void cli_record_remove(const struct cli_sweep *s, const struct cli_point *p)
{
    g_autofree char *path = cli_journal_file(s, p->digest);
    unlink(path);
}

struct cli_record *cli_record_read(const struct cli_sweep *s, const struct cli_point *p)
{
    g_autofree char *path = cli_journal_file(s, p->digest);
    g_autoptr(GKeyFile) file = g_key_file_new();
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL) ||
        !g_key_file_has_group(file, "end"))
        return NULL;
    struct cli_record *record = g_new0(struct cli_record, 1);
    guint n = g_strv_length(s->e->column);
    record->failed = g_key_file_get_boolean(file, "point", "failed", NULL);
    record->reason = g_key_file_get_string(file, "point", "reason", NULL);
    record->detail = g_key_file_get_string(file, "point", "detail", NULL);
    record->value = g_new0(char *, n + 1);
    for (guint i = 0; i < n && !record->failed; i++) {
        g_autofree char *key = g_strdup_printf("%u", i);
        record->value[i] = g_key_file_get_string(file, "values", key, NULL);
        if (record->value[i]) continue;
        cli_record_free(record);
        return NULL;
    }
    return record;
}

bool cli_record_write(const struct cli_sweep *s, const struct cli_point *p,
                      const struct cli_record *record, GError **error)
{
    g_autofree char *path = cli_journal_file(s, p->digest), *name = cli_point_name(s->e, p->at);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_key_file_set_string(file, "point", "name", name);
    g_key_file_set_boolean(file, "point", "failed", record->failed);
    if (record->reason) g_key_file_set_string(file, "point", "reason", record->reason);
    if (record->detail) g_key_file_set_string(file, "point", "detail", record->detail);
    for (guint i = 0; record->value && record->value[i]; i++) {
        g_autofree char *key = g_strdup_printf("%u", i);
        g_key_file_set_string(file, "values", key, record->value[i]);
    }
    g_key_file_set_boolean(file, "end", "whole", TRUE);
    gsize bytes;
    g_autofree char *text = g_key_file_to_data(file, &bytes, NULL);
    return g_file_set_contents_full(path, text, (gssize)bytes,
                                    G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                    0666, error);
}

void cli_record_free(struct cli_record *record)
{
    if (!record) return;
    g_free(record->reason);
    g_free(record->detail);
    g_strfreev(record->value);
    g_free(record);
}
