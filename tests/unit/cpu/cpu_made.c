/* Writes block descriptions from text (cpu_made.h). */
#include "cpu/cpu_made.h"

#include <stdlib.h>
#include <string.h>

static void put(GByteArray *out, uint64_t n)
{
    unsigned char bytes[10];
    g_byte_array_append(out, bytes, (guint)block_put_number(bytes, n));
}

static void put_text(GByteArray *out, const char *text)
{
    put(out, strlen(text));
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text));
}

static void put_fixed(GByteArray *out, uint64_t n, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        guint8 b = (guint8)(n >> 8 * i);
        g_byte_array_append(out, &b, 1);
    }
}

static int class_of(const char *word)
{
    for (int c = 0; c < BLOCK_CLASSES; c++)
        if (strcmp(cpu_class_word(c), word) == 0) return c;
    return -1;
}

static unsigned char type_of(const char *word)
{
    char *end;
    unsigned bytes = (unsigned)strtoul(word + 1, &end, 10);
    unsigned lanes = *end == 'x' ? (unsigned)strtoul(end + 1, NULL, 10) : 1;
    unsigned kind = *word == 'f' ? BLOCK_FLOAT : *word == 's' ? BLOCK_SIGNED : 0;
    return block_type(bytes, lanes, kind);
}

static void put_operand(GByteArray *out, const char *word)
{
    uint64_t there = 0, k = 0;
    enum block_where where = BLOCK_THERE;
    if (*word == '_') where = BLOCK_OUTSIDE;
    if (*word == '.') where = BLOCK_HERE;
    if (*word == '<') where = BLOCK_PREVIOUS;
    if (*word == '#') where = BLOCK_CONSTANT;
    if (*word == '&') where = BLOCK_VARIABLE;
    if (where == BLOCK_THERE) there = strtoul(word, (char **)&word, 10);
    if (word[1]) k = strtoul(word + 1, NULL, 10);
    put(out, k << 3 | where);
    if (where == BLOCK_THERE) put(out, there);
}

static int form_of(const char *word)
{
    static const char *const form[] = {"base", "indexed", "scaled", "static", "stack"};
    for (int i = 0; i < (int)G_N_ELEMENTS(form); i++)
        if (strcmp(form[i], word) == 0) return i;
    return -1;
}

static void put_op(GByteArray *out, char **word, int64_t *line)
{
    int64_t before = *line;
    if (**word == '@') *line = atoi(*word++ + 1);
    int class = class_of(word[0]), form = BLOCK_BASE;
    unsigned char type = type_of(word[1]), from = 0;
    const char *callee = "";
    uint64_t flags = 0, operands = 0, times = 0, loaded = 0;
    g_assert(class >= 0);
    guint8 head[] = {(guint8) class, type};
    g_byte_array_append(out, head, 2);
    char **first = word + 2;
    for (;; first++) {
        if (!*first) break;
        if (strcmp(*first, "live") == 0)
            flags |= BLOCK_LIVE;
        else if (strcmp(*first, "predicted") == 0)
            flags |= BLOCK_PREDICTED;
        else if (strcmp(*first, "rounds") == 0)
            flags |= BLOCK_ROUNDS;
        else if (strcmp(*first, "counted") == 0)
            flags |= BLOCK_COUNTED;
        else if (strcmp(*first, "stored") == 0)
            flags |= BLOCK_FORWARDED;
        else if (strcmp(*first, "begun") == 0)
            flags |= BLOCK_BEGUN;
        else if (strcmp(*first, "empty") == 0)
            flags |= BLOCK_EMPTY;
        else if (form_of(*first) >= 0)
            form = form_of(*first);
        else if (strcmp(*first, "again") == 0)
            flags |= BLOCK_AGAIN, loaded = strtoull(*++first, NULL, 10);
        else if (strcmp(*first, "times") == 0)
            times = strtoull(*++first, NULL, 10);
        else if (**first == '=')
            callee = *first + 1;
        else if (strcmp(*first, "from") == 0)
            from = type_of(*++first);
        else
            break;
    }
    put(out, flags | (times ? BLOCK_TIMES : 0));
    put(out, block_difference(*line - before));
    while (first[operands]) operands++;
    put(out, operands);
    for (uint64_t i = 0; i < operands; i++) put_operand(out, first[i]);
    if (class == BLOCK_CONVERT) g_byte_array_append(out, &from, 1);
    if (class == BLOCK_LOAD || class == BLOCK_STORE || class == BLOCK_ATOMIC) {
        put(out, 0);
        put(out, (uint64_t)form);
        put(out, (uint64_t)block_type_bytes(type) * block_type_lanes(type));
    }
    if (flags & BLOCK_AGAIN) put(out, 0), put(out, loaded);
    if (flags & (BLOCK_PREDICTED | BLOCK_COUNTED | BLOCK_BEGUN)) put(out, 0);
    if (times) put(out, times);
    if (class == BLOCK_CALL) put_text(out, callee), put(out, BLOCK_WORDS_ALL);
}

static void put_block(GByteArray *out, char **word)
{
    uint64_t flags = 0, successors = 0;
    for (word++; *word && strcmp(*word, "->") != 0; word++)
        if (strcmp(*word, "loop") == 0) flags |= BLOCK_LOOP;
    put(out, flags);
    if (*word) word++;
    while (word[2 * successors]) successors++;
    put(out, successors);
    for (uint64_t i = 0; i < successors; i++) {
        put(out, strtoul(word[2 * i], NULL, 10));
        put(out, strtoul(word[2 * i + 1], NULL, 10));
    }
}

/* Lines from `at` to the next that begins with one of the words, or the end. */
static int lines_until(char **line, int at, const char *a, const char *b)
{
    int n = 0;
    while (line[at + n] && !g_str_has_prefix(line[at + n], a) && !g_str_has_prefix(line[at + n], b))
        n++;
    return n;
}

static char **words(const char *line)
{
    g_autofree char *copy = g_strstrip(g_strdup(line));
    return g_regex_split_simple(" +", copy, 0, 0);
}

static int put_blocks(GByteArray *out, char **line, int at, uint32_t *blocks)
{
    int64_t source = 1;
    for (; line[at] && g_str_has_prefix(line[at], "block"); ++*blocks) {
        g_auto(GStrv) head = words(line[at++]);
        int ops = lines_until(line, at, "block", "function");
        put_block(out, head);
        put(out, 0);
        put(out, (uint64_t)ops);
        for (; ops > 0; ops--) {
            g_auto(GStrv) word = words(line[at++]);
            put_op(out, word, &source);
        }
    }
    return at;
}

static uint32_t count_lines(char **line, int at, const char *prefix, const char *stop)
{
    uint32_t n = 0;
    for (; line[at] && !(stop && g_str_has_prefix(line[at], stop)); at++)
        n += g_str_has_prefix(line[at], prefix);
    return n;
}

GByteArray *cpu_made(const char *text, uint64_t identity)
{
    g_autofree char *copy = g_strchomp(g_strdup(text));
    g_auto(GStrv) line = g_strsplit(copy, "\n", -1);
    g_autoptr(GByteArray) stream = g_byte_array_new();
    uint32_t blocks = 0;
    put(stream, 2);
    put(stream, 1);
    put_text(stream, "made.c");
    put(stream, count_lines(line, 0, "function", NULL));
    for (int at = 0; line[at];) {
        g_auto(GStrv) head = words(line[at++]);
        put_text(stream, head[1]);
        put(stream, 0);
        put(stream, 1);
        put(stream, 0);
        put(stream, blocks);
        put(stream, count_lines(line, at, "block", "function"));
        at = put_blocks(stream, line, at, &blocks);
    }
    GByteArray *out = g_byte_array_new();
    g_byte_array_append(out, (const guint8 *)BLOCK_MAGIC, 8);
    put_fixed(out, BLOCK_VERSION, 4);
    put_fixed(out, (BLOCK_HEAD + stream->len + 7) / 8 * 8, 4);
    put_fixed(out, identity, 8);
    put_fixed(out, blocks, 4);
    put_fixed(out, 120200, 4);
    g_byte_array_append(out, stream->data, stream->len);
    while (out->len % 8) put_fixed(out, 0, 1);
    return out;
}
