/* Numbers of texts, and of dates in base 36: short ones. */
#include "report/page/numbers.h"

struct report_numbers report_numbers_new(void)
{
    return (struct report_numbers){g_hash_table_new(g_str_hash, g_str_equal),
                                   g_ptr_array_new_with_free_func(g_free)};
}

void report_numbers_free(struct report_numbers *n)
{
    g_hash_table_unref(n->number);
    g_ptr_array_unref(n->text);
}

int64_t report_number_of(struct report_numbers *n, char *text)
{
    void *known;
    if (g_hash_table_lookup_extended(n->number, text, NULL, &known)) {
        g_free(text);
        return GPOINTER_TO_INT(known);
    }
    int number = (int)n->text->len;
    g_ptr_array_add(n->text, text);
    g_hash_table_insert(n->number, text, GINT_TO_POINTER(number));
    return number;
}

void report_base36(GString *to, int64_t value)
{
    char digits[16];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36];
    while ((left /= 36) > 0);
    if (value < 0) g_string_append_c(to, '-');
    g_string_append_len(to, digits + at, (gssize)(sizeof digits - at));
}
