/* Values out of a run's JSON: JSONPath as json-glib has it, and elements of a list by their kind.
 */
#include "cli/value/value.h"

#include <string.h>

static GPtrArray *match(JsonNode *root, const char *path, GError **error)
{
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    if (!*path) {
        g_ptr_array_add(found, json_node_ref(root));
        return found;
    }
    g_autofree char *expression =
        g_strconcat(*path == '[' || *path == '.' ? "$" : "$.", path, NULL);
    g_autoptr(JsonPath) query = json_path_new();
    if (!json_path_compile(query, expression, error)) {
        g_ptr_array_unref(found);
        return NULL;
    }
    g_autoptr(JsonNode) all = json_path_match(query, root);
    JsonArray *list = json_node_get_array(all);
    for (guint i = 0; i < json_array_get_length(list); i++)
        g_ptr_array_add(found, json_node_copy(json_array_get_element(list, i)));
    return found;
}

/* The next "[word]" in path: where it begins, and the word. */
static const char *next_kind(const char *path, char **kind)
{
    for (const char *open = strchr(path, '['); open; open = strchr(open + 1, '[')) {
        const char *c = open + 1;
        while (g_ascii_isalnum(*c) || *c == '_') c++;
        if (c == open + 1 || *c != ']' || !g_ascii_isalpha(open[1])) continue;
        *kind = g_strndup(open + 1, (gsize)(c - open - 1));
        return open;
    }
    return NULL;
}

static bool is_of(JsonNode *node, const char *kind)
{
    return JSON_NODE_HOLDS_OBJECT(node) && g_strcmp0(json_object_get_string_member_with_default(
                                                         json_node_get_object(node), "kind", NULL),
                                                     kind) == 0;
}

static bool gather(JsonNode *root, const char *path, GPtrArray *found, GError **error)
{
    g_autofree char *kind = NULL;
    const char *open = next_kind(path, &kind);
    g_autofree char *before = open ? g_strndup(path, (gsize)(open - path)) : g_strdup(path);
    g_autoptr(GPtrArray) here = match(root, before, error);
    if (!here) return false;
    if (!open) {
        g_ptr_array_extend_and_steal(found, g_steal_pointer(&here));
        return true;
    }
    for (guint i = 0; i < here->len; i++) {
        JsonArray *list = JSON_NODE_HOLDS_ARRAY((JsonNode *)here->pdata[i])
                              ? json_node_get_array(here->pdata[i])
                              : NULL;
        for (guint k = 0; list && k < json_array_get_length(list); k++)
            if (is_of(json_array_get_element(list, k), kind) &&
                !gather(json_array_get_element(list, k), open + strlen(kind) + 2, found, error))
                return false;
    }
    return true;
}

GPtrArray *cli_value_find(JsonNode *root, const char *path, GError **error)
{
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    if (gather(root, path, found, error)) return found;
    g_ptr_array_unref(found);
    return NULL;
}

bool cli_value_none_chosen(JsonNode *root, const char *path)
{
    const char *open = NULL, *after = NULL;
    for (const char *c = path; *c; c++)
        if (*c == '[' && (c[1] == '*' || g_ascii_isalpha(c[1])) && strchr(c, ']'))
            open = c, after = strchr(c, ']') + 1;
    if (!open) return false;
    g_autofree char *list = g_strndup(path, (gsize)(open - path)),
                    *chosen = g_strndup(path, (gsize)(after - path));
    g_autoptr(GPtrArray) lists = cli_value_find(root, list, NULL),
                         elements = cli_value_find(root, chosen, NULL);
    return lists && elements && lists->len > 0 &&
           JSON_NODE_HOLDS_ARRAY((JsonNode *)lists->pdata[0]) && elements->len == 0;
}

/* An object that the path names, or the root where it is empty; NULL: there is none. */
static JsonObject *first_object(JsonNode *root, const char *path)
{
    g_autoptr(GPtrArray) found = *path ? cli_value_find(root, path, NULL) : NULL;
    JsonNode *node = !*path ? root : found && found->len > 0 ? found->pdata[0] : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

char *cli_value_meant(JsonNode *root, const char *path)
{
    g_autofree char *parent = g_strdup(path);
    JsonObject *object = NULL;
    while (!object && *parent) {
        char *dot = strrchr(parent, '.');
        *(dot ? dot : parent) = '\0';
        object = first_object(root, parent);
    }
    const char *rest = path + strlen(parent) + (*parent ? 1 : 0);
    g_autofree char *name = g_strndup(rest, strcspn(rest, ".[")), *near = NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GList) members = object ? json_object_get_members(object) : NULL;
    for (GList *member = members; member; member = member->next)
        g_ptr_array_add(names, member->data);
    near = g_strdup(base_nearest(name, (const char *const *)names->pdata, names->len));
    return near ? g_strdup_printf("; did you mean %s?", near) : g_strdup("");
}

char *cli_value_text(JsonNode *node)
{
    bool text = JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
    return text ? json_node_dup_string(node) : json_to_string(node, FALSE);
}

bool cli_value_number(JsonNode *node, double *number)
{
    if (!JSON_NODE_HOLDS_VALUE(node)) return false;
    GType type = json_node_get_value_type(node);
    if (type == G_TYPE_INT64)
        *number = (double)json_node_get_int(node);
    else if (type == G_TYPE_DOUBLE)
        *number = json_node_get_double(node);
    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

double cli_value_sum(JsonNode *root, const char *path)
{
    g_autoptr(GPtrArray) found = cli_value_find(root, path, NULL);
    double sum = 0, one;
    for (guint i = 0; found && i < found->len; i++)
        if (cli_value_number(found->pdata[i], &one)) sum += one;
    return sum;
}
