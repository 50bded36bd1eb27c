/* sidewinder cc, c++, f77, f90: gcc, g++ and gfortran, so that every load and store of the program
 * is seen. A drop-in: unknown options pass through. */
#include "cli/common/common.h"

#include "cli/cc/parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The commands, and the compiler each one drives. */
struct driver {
    /* variable: the environment's, for another compiler */
    const char *command, *variable, *usual;
    bool fortran;
    const char *mpi, *seen, *examples; /* of --help */
};
static const char c_seen[] =
    "Not seen: variables that the compiler keeps in registers.\n"
    "Loops become vector operations with -ftree-vectorize only, at -O3 too.\n";
static const char c_examples[] =
    "  sidewinder cc -O2 -g halo.c -o halo\n"
    "  make CC=\"sidewinder cc\"\n"
    "  ./configure CC=\"sidewinder cc\"\n"
    "  cmake -S . -B build -DCMAKE_C_COMPILER=sidewinder -DCMAKE_C_COMPILER_ARG1=cc\n"
    "  cmake -S . -B build --toolchain PREFIX/share/sidewinder/toolchain.cmake    # PREFIX: where "
    "bin/sidewinder is\n"
    "  SIDEWINDER_MACHINE=t3d ctest --test-dir build    # with that file, its programs start "
    "there\n";
static const char fortran_seen[] =
    "Each rank has its own COMMON blocks, SAVEd variables and units, and its own time and random "
    "numbers.\n"
    "Not seen: variables that the compiler keeps in registers; NAMELIST.\n"
    "Loops become vector operations with -ftree-vectorize only, at -O3 too.\n"
    "gfortran warns when calls differ in type, as MPI's do: -w.\n"
    "PUT/ACCEPT: include 'put_accept.inc', call PA_PUT; with --dialect put_accept, include "
    "'mpif.h', call MPI_PUT.\n"
    "SHMALLOC is the same with SHM_PUT; its windows are POINTERs: -fcray-pointer.\n";
static const char fortran_examples[] =
    "  sidewinder f77 -O2 -g heat.f -o heat\n"
    "  make FC=\"sidewinder f90\"\n"
    "  sidewinder f77 --dialect put_accept -c agent.f\n"
    "  cmake -S . -B build -DCMAKE_Fortran_COMPILER=sidewinder -DCMAKE_Fortran_COMPILER_ARG1=f90\n";
static const struct driver drivers[] = {
    {"cc", "SIDEWINDER_CC", "gcc", false, "<mpi.h>", c_seen, c_examples},
    {"c++", "SIDEWINDER_CXX", "g++", false, "<mpi.h>", c_seen, c_examples},
    {"f77", "SIDEWINDER_FC", "gfortran", true, "'mpif.h'", fortran_seen, fortran_examples},
    {"f90", "SIDEWINDER_FC", "gfortran", true, "'mpif.h', or the modules mpi and mpi_f08,",
     fortran_seen, fortran_examples},
};

static void print_help(const struct driver *d, const struct cli_cc_place *place, char **dialects)
{
    g_autofree char *list = g_strjoinv(", ", dialects + 1);
    printf("Usage: sidewinder %s [--dialect NAME] ARGUMENT...\n"
           "\n"
           "Compiles and links with %s, so that `sidewinder run` sees the program's loads and "
           "stores. Takes every argument\n"
           "of %s and passes it on; exit status and messages are the compiler's.\n"
           "%s and the MPI library are found without further options. A program started\n"
           "without `sidewinder run` is one rank, without a report.\n\n"
           "  --dialect NAME   the interface the program is written to: mpi (the default), %s;\n"
           "                   what MPI_ then means: %s/dialect/NAME\n"
           "  --show           print the commands instead of running them; also -show, --showme\n"
           "  --help           show this help; for %s's own: --target-help, or %s --help\n\n"
           "Environment: SIDEWINDER_CC, SIDEWINDER_CXX, SIDEWINDER_FC name another gcc, g++, "
           "gfortran (\"ccache gcc\").\n"
           "Objects that were not compiled by sidewinder are reported once, at link time. -static "
           "and -flto are ignored.\n%s"
           "\n"
           "Examples:\n"
           "%s",
           d->command, d->usual, d->usual, d->mpi, list, place->include, d->usual, d->usual,
           d->seen, d->examples);
}

/* Whether the dialect exists; reports it if not. name NULL: none was given. */
static bool dialect_known(const struct driver *d, char **dialects, const char *name)
{
    if (name && g_strv_contains((const char *const *)dialects, name)) return true;
    if (name)
        fprintf(stderr, "sidewinder %s: unknown dialect '%s'%s; accepted:", d->command, name,
                d->fortran ? " in Fortran" : "");
    else
        fprintf(stderr, "sidewinder %s: --dialect needs a name; accepted:", d->command);
    g_autofree char *list = g_strjoinv(" ", dialects);
    fprintf(stderr, " %s\n", list);
    return false;
}

/* As MPICH and Open MPI spell it. */
static bool shows(const char *word, enum cli_cc_show *show)
{
    static const struct {
        const char *word;
        enum cli_cc_show show;
    } spelling[] = {
        {"-show", CLI_CC_SHOW},
        {"--show", CLI_CC_SHOW},
        {"-showme", CLI_CC_SHOW},
        {"--showme", CLI_CC_SHOW},
        {"-showme:compile", CLI_CC_SHOW_COMPILE},
        {"--showme:compile", CLI_CC_SHOW_COMPILE},
        {"-showme:link", CLI_CC_SHOW_LINK},
        {"--showme:link", CLI_CC_SHOW_LINK},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(spelling); i++)
        if (strcmp(word, spelling[i].word) == 0) {
            *show = spelling[i].show;
            return true;
        }
    return false;
}

/* Takes our own options out of the words, wherever they stand: false: refused. *chosen: the
 * dialect; *help: it was asked for. */
static bool own_options(const struct driver *d, char **dialects, char **words, const char **chosen,
                        bool *help, enum cli_cc_show *show)
{
    char **kept = words;
    for (char **word = words; *word; word++) {
        const char *name = NULL;
        if (cli_cc_takes_next(*word) && word[1]) {
            *kept++ = *word++;
            *kept++ = *word;
            continue;
        } else if (strcmp(*word, "--help") == 0) {
            *help = true;
            continue;
        } else if (shows(*word, show)) {
            continue;
        } else if (strcmp(*word, "--dialect") == 0) {
            name = word[1];
            if (name) word++;
        } else if (g_str_has_prefix(*word, "--dialect=")) {
            name = *word + strlen("--dialect=");
        } else {
            *kept++ = *word;
            continue;
        }
        if (!dialect_known(d, dialects, name)) return false;
        *chosen = name;
    }
    *kept = NULL;
    return true;
}

static char **compiler_words(const char *variable, const char *usual)
{
    const char *text = g_getenv(variable);
    char **words = NULL;
    if (text && g_shell_parse_argv(text, NULL, &words, NULL)) return words;
    return g_strsplit(usual, " ", 0);
}

/* One call of the compiler does it all. */
static int pass_on(const struct cli_cc_line *line, char **compiler,
                   const struct cli_cc_place *place)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    for (char **word = compiler; *word; word++) g_ptr_array_add(argv, g_strdup(*word));
    bool fortran = cli_cc_fortran(line);
    if (line->stage == CLI_CC_ASSEMBLE) cli_cc_add_before(argv, line, place, fortran);
    if (line->stage != CLI_CC_TELL && !fortran) cli_cc_add_includes(argv, place, false);
    for (size_t i = 0; i < line->words; i++)
        if (line->stage == CLI_CC_TELL || line->word[i].kind != CLI_CC_DROPPED)
            g_ptr_array_add(argv, g_strdup(line->word[i].text));
    if (line->stage != CLI_CC_TELL && fortran) cli_cc_add_includes(argv, place, true);
    if (line->stage == CLI_CC_ASSEMBLE) cli_cc_add_after(argv, place, fortran);
    if (line->show == CLI_CC_RUN) return cli_cc_exec(argv);
    cli_cc_print(argv);
    return CLI_DONE;
}

static int show_words(const struct cli_cc_line *line, const struct cli_cc_place *place)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    if (line->show == CLI_CC_SHOW_LINK) {
        cli_cc_add_libraries(words, place);
    } else {
        cli_cc_add_before(words, line, place, place->fortran);
        cli_cc_add_includes(words, place, place->fortran);
        cli_cc_add_after(words, place, place->fortran);
    }
    cli_cc_print(words);
    return CLI_DONE;
}

static int compile(const struct driver *d, struct cli_cc_place *place, int argc, char **argv)
{
    g_auto(GStrv) dialects = cli_cc_dialects(place);
    g_autofree char **words = g_memdup2(argv + 1, sizeof *argv * (gsize)argc);
    bool help = false;
    enum cli_cc_show show = CLI_CC_RUN;
    place->dialect = "mpi";
    if (!own_options(d, dialects, words, &place->dialect, &help, &show)) return CLI_USAGE;
    if (help) {
        print_help(d, place, dialects);
        return CLI_DONE;
    }
    struct cli_cc_line line;
    g_auto(GStrv) compiler = compiler_words(d->variable, d->usual);
    cli_cc_parse(&line, (int)g_strv_length(words), words);
    line.show = show;
    int code = CLI_FAILED;
    if (show == CLI_CC_SHOW_COMPILE || show == CLI_CC_SHOW_LINK)
        code = show_words(&line, place);
    else if (show == CLI_CC_SHOW && line.stage == CLI_CC_TELL)
        code = cli_cc_end(cli_cc_link(&line, compiler, place));
    else if (cli_cc_fits(&line, compiler, d->command))
        code = line.stage == CLI_CC_LINK ? cli_cc_end(cli_cc_link(&line, compiler, place))
                                         : pass_on(&line, compiler, place);
    cli_cc_clear(&line);
    return code;
}

/* A Fortran program was not compiled: is it the modules? They are made by the gfortran that is
 * there when Sidewinder is built. */
static void say_without_modules(const struct driver *d, const struct cli_cc_place *place)
{
    g_autofree char *module = g_build_filename(place->include, "mpi.mod", NULL);
    if (!d->fortran || access(module, R_OK) == 0) return;
    fprintf(stderr,
            "sidewinder %s: the modules mpi and mpi_f08 are missing: there was no gfortran when "
            "Sidewinder was built; build it again\n",
            d->command);
}

static int drive(const struct driver *d, int argc, char **argv)
{
    struct cli_cc_place place;
    g_autoptr(GError) error = NULL;
    int code = CLI_FAILED;
    if (cli_cc_place(&place, &error)) {
        place.fortran = d->fortran;
        code = compile(d, &place, argc, argv);
        if (code != CLI_DONE) say_without_modules(d, &place);
    } else {
        fprintf(stderr, "sidewinder %s: %s\n", d->command, error->message);
    }
    cli_cc_place_clear(&place);
    return code;
}

int cli_cc(int argc, char **argv) { return drive(&drivers[0], argc, argv); }
int cli_cxx(int argc, char **argv) { return drive(&drivers[1], argc, argv); }
int cli_f77(int argc, char **argv) { return drive(&drivers[2], argc, argv); }
int cli_f90(int argc, char **argv) { return drive(&drivers[3], argc, argv); }
