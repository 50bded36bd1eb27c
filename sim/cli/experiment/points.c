/* The points of an experiment: every combination of what varies, less those that [points] leaves
 * out. */
#include "cli/experiment/parts.h"

#include <string.h>

enum { POINTS_MAX = 1000000 };

/* ---- one point ------------------------------------------------------------------------------- */

const char *cli_point_value(const struct cli_experiment *e, const int *point, int axis)
{
    return e->axis[axis].value[point[axis]];
}

char *cli_point_expand(const struct cli_experiment *e, const int *point, const char *text)
{
    GString *out = g_string_new(NULL);
    while (*text) {
        size_t length = cli_name_length(text);
        int axis = 0;
        while (length && axis < e->axes &&
               (strlen(e->axis[axis].name) != length - 2 ||
                strncmp(text + 1, e->axis[axis].name, length - 2) != 0))
            axis++;
        if (length && axis < e->axes)
            g_string_append(out, cli_point_value(e, point, axis));
        else
            g_string_append_len(out, text, (gssize)(length = MAX(length, 1)));
        text += length;
    }
    return g_string_free(out, FALSE);
}

char *cli_point_name(const struct cli_experiment *e, const int *point)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < e->axes; i++)
        g_string_append_printf(out, "%s%s=%s", i ? " " : "", e->axis[i].name,
                               cli_point_value(e, point, i));
    return g_string_free(out, FALSE);
}

bool cli_point_fits(const struct cli_experiment *e, const int *point, const char *name,
                    const char *values, bool *fits, GError **error)
{
    g_autofree const char **names = g_new(const char *, e->axes);
    int axis = 0;
    for (int i = 0; i < e->axes; i++) names[i] = e->axis[i].name;
    while (axis < e->axes && strcmp(names[axis], name) != 0) axis++;
    if (axis == e->axes) {
        const char *near = base_nearest(name, names, e->axes);
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_UNKNOWN,
            "%s does not vary here%s%s; accepted are machine, ranks and the names of [vary]", name,
            near ? "; did you mean " : "", near ? near : "");
        return false;
    }
    g_auto(GStrv) wanted = cli_list(values, error);
    if (!wanted) return false;
    for (char **w = wanted; *w; w++)
        if (!g_strv_contains((const char *const *)e->axis[axis].value, *w)) {
            g_autofree char *list = g_strjoinv(", ", e->axis[axis].value);
            g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN,
                        "%s never has the value %s; accepted are %s", name, *w, list);
            return false;
        }
    *fits = g_strv_contains((const char *const *)wanted, cli_point_value(e, point, axis));
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool in_group(const struct cli_experiment *e, const char *group, const int *point, bool *in,
                     GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(e->file, group, NULL, NULL);
    *in = true;
    for (char **name = names; *name; name++) {
        g_autofree char *values = cli_experiment_get(e, group, *name);
        bool fits;
        g_autoptr(GError) why = NULL;
        if (!cli_point_fits(e, point, *name, values, &fits, &why)) {
            cli_experiment_refuse(e, group, *name, error, "%s", why->message);
            return false;
        }
        *in = *in && fits;
    }
    return true;
}

static bool stays(const struct cli_experiment *e, const int *point, bool *stay, GError **error)
{
    g_auto(GStrv) found = g_key_file_get_groups(e->file, NULL);
    bool any = false, in;
    *stay = false;
    for (char **group = found; *group; group++) {
        if (strcmp(*group, "points") != 0 && !g_str_has_prefix(*group, "points ")) continue;
        any = true;
        if (!in_group(e, *group, point, &in, error)) return false;
        *stay = *stay || in;
    }
    *stay = *stay || !any;
    return true;
}

bool cli_points_make(struct cli_experiment *e, GError **error)
{
    double all = 1;
    for (int i = 0; i < e->axes; i++) all *= e->axis[i].values;
    if (all > POINTS_MAX) {
        cli_experiment_refuse(e, "vary", NULL, error, "%.0f combinations; at most %d are accepted",
                              all, POINTS_MAX);
        return false;
    }
    for (long n = 0; n < (long)all; n++) {
        g_autofree int *point = g_new(int, e->axes);
        long rest = n;
        bool stay;
        for (int i = e->axes; i-- > 0; rest /= e->axis[i].values)
            point[i] = (int)(rest % e->axis[i].values);
        if (!stays(e, point, &stay, error)) return false;
        if (stay) g_ptr_array_add(e->points, g_steal_pointer(&point));
    }
    if (e->points->len) return true;
    cli_experiment_refuse(e, "points", NULL, error, "no point fits");
    return false;
}
