/* The command line of gcc, as far as `sidewinder cc` has to understand it: what is compiled, what
 * is linked, which words belong together (gcc manual, Option Summary; c-family/c.opt, common.opt:
 * options marked Separate). */
#include "cli/cc/parts.h"

#include <string.h>

/* Options whose argument may be the next word. */
static const char *const separate[] = {
    "-o",
    "-x",
    "-D",
    "-U",
    "-I",
    "-J",
    "-L",
    "-l",
    "-B",
    "-A",
    "-T",
    "-u",
    "-z",
    "-e",
    "-h",
    "-G",
    "-V",
    "-b",
    "-F",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-imultiarch",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "--param",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-wrapper",
    "-specs",
    "--sysroot",
    "--entry",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-fplugin",
    "-soname",
    "-rpath",
    "-arch",
    "-target",
};
/* Words that only a linker wants: in full, and by how they begin. */
static const char *const linking[] = {"-s",
                                      "-u",
                                      "-z",
                                      "-e",
                                      "-h",
                                      "-r",
                                      "--entry",
                                      "-rdynamic",
                                      "-shared",
                                      "-symbolic",
                                      "-Xlinker",
                                      "-nostartfiles",
                                      "-nodefaultlibs",
                                      "-nostdlib",
                                      "-nolibc",
                                      "-soname",
                                      "-rpath"};
static const char *const linking_so[] = {"-l", "-L",          "-Wl,",      "-T",
                                         "-z", "-static-lib", "-fuse-ld=", "--entry="};
/* Programs are position-independent objects that are loaded once a rank, by themselves; -flto would
 * instrument nothing, since its code is made at link time; SMPI is the MPI library. */
static const char *const dropped[] = {"-static",
                                      "-static-pie",
                                      "-pie",
                                      "-no-pie",
                                      "-lmpi",
                                      "-lmpich",
                                      "-lmpi_cxx",
                                      "-ltsan",
                                      "-fsanitize=thread",
                                      "-static-libgfortran",
                                      "-static-libquadmath"};

static bool among(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}
#define AMONG(word, list) among(word, list, G_N_ELEMENTS(list))

bool cli_cc_takes_next(const char *word) { return AMONG(word, separate); }

static bool is_linking(const char *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(linking_so); i++)
        if (g_str_has_prefix(word, linking_so[i])) return true;
    return AMONG(word, linking);
}

static bool is_source(const char *name)
{
    static const char *const suffix[] = {
        ".c",   ".i",   ".ii",  ".cc",  ".cp",  ".cxx", ".cpp", ".CPP", ".c++", ".C",   ".s",
        ".S",   ".sx",  ".m",   ".mi",  ".f",   ".for", ".F",   ".f90", ".F90", ".f95", ".F95",
        ".f03", ".f08", ".ftn", ".FOR", ".fpp", ".FPP", ".FTN", ".F03", ".F08"};
    const char *dot = strrchr(name, '.');
    return dot && AMONG(dot, suffix);
}

static bool is_fortran(const struct cli_cc_word *source)
{
    static const char *const suffix[] = {".f",   ".for", ".ftn", ".F",   ".FOR", ".fpp",
                                         ".FPP", ".FTN", ".f90", ".f95", ".f03", ".f08",
                                         ".F90", ".F95", ".F03", ".F08"};
    if (source->language)
        return g_str_has_prefix(source->language, "f77") ||
               g_str_has_prefix(source->language, "f95");
    const char *dot = strrchr(source->text, '.');
    return dot && AMONG(dot, suffix);
}

bool cli_cc_word_fortran(const struct cli_cc_word *word)
{
    return word->kind == CLI_CC_SOURCE && is_fortran(word);
}

bool cli_cc_fortran(const struct cli_cc_line *line)
{
    for (size_t i = 0; i < line->words; i++)
        if (cli_cc_word_fortran(&line->word[i])) return true;
    return false;
}

static bool is_header(const char *name)
{
    static const char *const suffix[] = {".h",   ".hh",  ".H",   ".hp", ".hxx",
                                         ".hpp", ".HPP", ".h++", ".tcc"};
    const char *dot = strrchr(name, '.');
    return dot && AMONG(dot, suffix);
}

/* ---- response files -------------------------------------------------------------------------- */

/* libiberty's buildargv: white space parts words, quotes of both kinds and backslashes protect. */
static void split(GPtrArray *words, const char *text)
{
    g_autoptr(GString) word = g_string_new(NULL);
    char quote = 0;
    bool any = false;
    for (; *text; text++) {
        if (*text == '\\' && text[1]) {
            g_string_append_c(word, *++text);
            any = true;
        } else if (quote ? *text == quote : *text == '\'' || *text == '"') {
            quote = quote ? 0 : *text;
            any = true;
        } else if (!quote && g_ascii_isspace(*text)) {
            if (any) g_ptr_array_add(words, g_strdup(word->str));
            g_string_truncate(word, 0);
            any = false;
        } else {
            g_string_append_c(word, *text);
            any = true;
        }
    }
    if (any) g_ptr_array_add(words, g_strdup(word->str));
}

static void expand(GPtrArray *words, const char *word, int depth)
{
    g_autofree char *text = NULL;
    /* An @file that cannot be read is an ordinary word: so gcc's manual. */
    if (word[0] != '@' || depth > 100 || !g_file_get_contents(word + 1, &text, NULL, NULL)) {
        g_ptr_array_add(words, g_strdup(word));
        return;
    }
    g_autoptr(GPtrArray) inside = g_ptr_array_new_with_free_func(g_free);
    split(inside, text);
    for (guint i = 0; i < inside->len; i++) expand(words, g_ptr_array_index(inside, i), depth + 1);
}

/* ---- words ----------------------------------------------------------------------------------- */

struct reading {
    struct cli_cc_line *line;
    const char *language;
    bool inputs, queries, stops, preprocesses, headers;
};

static void add(struct reading *r, const char *text, enum cli_cc_kind kind)
{
    r->line->word[r->line->words++] =
        (struct cli_cc_word){text, kind, kind == CLI_CC_SOURCE ? r->language : NULL};
}

static void file(struct reading *r, const char *name)
{
    r->inputs = true;
    if (!r->language && is_header(name)) r->headers = true;
    bool source = strcmp(name, "-") == 0 || r->language || is_source(name);
    if (source) r->line->sources++;
    add(r, name, source ? CLI_CC_SOURCE : CLI_CC_OBJECT);
}

/* Notes what an option changes about the whole line. */
static void note(struct reading *r, const char *word)
{
    struct cli_cc_line *line = r->line;
    static const char *const stop[] = {"-c", "-S"};
    static const char *const preprocess[] = {"-E", "-M", "-MM", "-fsyntax-only"};
    static const char *const query[] = {
        "-###",         "--version",    "--help",           "--target-help",
        "-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs"};
    if (AMONG(word, stop)) r->stops = true;
    if (AMONG(word, preprocess)) r->preprocesses = true;
    if (AMONG(word, query) || g_str_has_prefix(word, "-print-") ||
        g_str_has_prefix(word, "--print-") || g_str_has_prefix(word, "--help="))
        r->queries = true;
    if (strcmp(word, "-shared") == 0) line->shared = true;
    if (strcmp(word, "-r") == 0) line->partial = true;
    if (g_str_has_prefix(word, "-g") && strcmp(word, "-g0") != 0 &&
        !g_str_has_prefix(word, "-gno-"))
        line->debug = true;
    if (strcmp(word, "-nostdlib") == 0) line->no_start = line->no_libs = true;
    if (strcmp(word, "-nostartfiles") == 0) line->no_start = true;
    if (strcmp(word, "-nodefaultlibs") == 0) line->no_libs = true;
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) line->dependencies = true;
    static const char *const trace[] = {"-Wl,-t", "-Wl,--trace", "-Wl,-t,-t"};
    if (AMONG(word, trace)) line->traces = true;
}

/* A word that begins with '-' and what belongs to it; returns how many words that was. */
static guint option(struct reading *r, const char *word, const char *next)
{
    struct cli_cc_line *line = r->line;
    bool two = next && cli_cc_takes_next(word);
    if (g_str_has_prefix(word, "-o") && (two || (word[2] && strcmp(word, "-omf") != 0))) {
        line->output = two ? next : word + 2;
        add(r, word, CLI_CC_OUTPUT);
        if (two) add(r, next, CLI_CC_OUTPUT);
        return two ? 2 : 1;
    }
    if (g_str_has_prefix(word, "-x") && (two || word[2])) {
        const char *language = two ? next : word + 2;
        r->language = strcmp(language, "none") == 0 ? NULL : language;
        if (r->language && g_str_has_suffix(language, "-header")) r->headers = true;
        add(r, word, CLI_CC_LANGUAGE);
        if (two) add(r, next, CLI_CC_LANGUAGE);
        return two ? 2 : 1;
    }
    enum cli_cc_kind kind = CLI_CC_OPTION;
    if (AMONG(word, dropped) || g_str_has_prefix(word, "-flto"))
        kind = CLI_CC_DROPPED;
    else if (g_str_has_prefix(word, "-M"))
        kind = CLI_CC_COMPILING;
    else if (is_linking(word))
        kind = CLI_CC_LINKING;
    if (kind == CLI_CC_LINKING && (g_str_has_prefix(word, "-l") || strcmp(word, "-Xlinker") == 0))
        r->inputs = true;
    if (g_str_has_prefix(word, "-MF")) line->mf = two ? next : word + 3;
    if (g_str_has_prefix(word, "-MT") || g_str_has_prefix(word, "-MQ"))
        line->mt = two ? next : word + 3;
    note(r, word);
    add(r, word, kind);
    if (two) add(r, next, kind);
    return two ? 2 : 1;
}

void cli_cc_parse(struct cli_cc_line *line, int argc, char **argv)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (int i = 0; i < argc; i++) expand(all, argv[i], 0);
    guint n = all->len;
    g_ptr_array_add(all, NULL);
    *line = (struct cli_cc_line){.held = (char **)g_ptr_array_steal(all, NULL),
                                 .word = g_new0(struct cli_cc_word, n + 1)};
    struct reading r = {.line = line};
    for (guint i = 0; i < n;) {
        char *word = line->held[i];
        if (word[0] != '-' || !word[1]) {
            file(&r, word);
            i++;
        } else {
            i += option(&r, word, line->held[i + 1]);
        }
    }
    if (r.queries || !r.inputs)
        line->stage = CLI_CC_TELL;
    else if (r.preprocesses)
        line->stage = CLI_CC_PREPROCESS;
    else if (r.stops || r.headers)
        line->stage = CLI_CC_ASSEMBLE;
    else
        line->stage = CLI_CC_LINK;
}

void cli_cc_clear(struct cli_cc_line *line)
{
    g_strfreev(line->held);
    g_free(line->word);
}
