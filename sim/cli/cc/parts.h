/* cli, inside: the pieces of `sidewinder cc`. Not a door. */
#ifndef CLI_CC_PARTS_H
#define CLI_CC_PARTS_H

#include "cli/cc/cc.h"

#include "base/base.h"

/* ---- the command line (arguments.c) ---------------------------------------------------------- */

enum cli_cc_stage {
    CLI_CC_TELL,       /* nothing to compile: --version, -print-..., no files */
    CLI_CC_PREPROCESS, /* -E, -M, -MM, -fsyntax-only */
    CLI_CC_ASSEMBLE,   /* -c, -S, precompiled headers: one call of the compiler */
    CLI_CC_LINK,
};
enum cli_cc_kind {
    CLI_CC_OPTION,    /* for both compiling and linking; its argument, if apart, is the next word */
    CLI_CC_COMPILING, /* of no use to the linker: -MD, -MF x ... */
    CLI_CC_LINKING,   /* for the linker only: -l, -L, -Wl, ... */
    CLI_CC_SOURCE,    /* a file to be compiled */
    CLI_CC_OBJECT,    /* a file the linker takes */
    CLI_CC_OUTPUT,    /* -o and its file */
    CLI_CC_LANGUAGE,  /* -x and its language */
    CLI_CC_DROPPED,   /* what programs of ours cannot have */
};
struct cli_cc_word {
    const char *text;
    enum cli_cc_kind kind;
    const char *language; /* SOURCE: -x in force, or NULL */
};
/* What -show, -showme and the like print instead of running anything. */
enum cli_cc_show {
    CLI_CC_RUN,
    CLI_CC_SHOW,         /* the commands */
    CLI_CC_SHOW_COMPILE, /* the words they add for compiling */
    CLI_CC_SHOW_LINK,    /* those for linking */
};
struct cli_cc_line {
    struct cli_cc_word *word;
    size_t words;
    char **held; /* owns the texts */
    enum cli_cc_stage stage;
    enum cli_cc_show show;
    const char *output;  /* of -o, or NULL */
    const char *mf, *mt; /* files of -MF, target of -MT or -MQ */
    size_t sources;
    bool shared, partial;   /* -shared; -r */
    bool debug;             /* some -g */
    bool no_start, no_libs; /* -nostartfiles, -nostdlib; -nodefaultlibs, -nostdlib */
    bool dependencies;      /* -MD or -MMD */
    bool traces;            /* the user asked the linker for its list of files */
};
/* May the option's argument be the next word? */
bool cli_cc_takes_next(const char *word);
/* Response files (@file) are read in. Never refuses: what it does not know goes to the compiler. */
void cli_cc_parse(struct cli_cc_line *line, int argc, char **argv);
void cli_cc_clear(struct cli_cc_line *line);
bool cli_cc_word_fortran(const struct cli_cc_word *word); /* a source in Fortran? */
bool cli_cc_fortran(const struct cli_cc_line *line);      /* has it one? */

/* ---- flags and places (flags.c) -------------------------------------------------------------- */

struct cli_cc_place {
    char *include, *library;
    /* where a program starts natively; linked into programs; into those that use the Fortran
     * library */
    char *start_object, *program_object, *fortran_object, *signal_archive, *cplusplus_archive,
        *profile_archive;
    char *plugin;
    bool fortran;        /* the compiler links that library */
    const char *dialect; /* the interface the program is written to */
};
bool cli_cc_place(struct cli_cc_place *place, GError **error);
/* The dialects a program may be written in, in order: mpi, and each folder of include/dialect; for
 * Fortran those whose folder has other names for its calls, fortran.s. */
char **cli_cc_dialects(const struct cli_cc_place *place);
void cli_cc_place_clear(struct cli_cc_place *place);
/* fortran: for a source in that language. It wants its folders after the user's, and some flags are
 * C's alone. */
void cli_cc_add_includes(GPtrArray *argv, const struct cli_cc_place *place, bool fortran);
/* flags that the user may override */
void cli_cc_add_before(GPtrArray *argv, const struct cli_cc_line *line,
                       const struct cli_cc_place *place, bool fortran);
/* flags that the user may not override */
void cli_cc_add_after(GPtrArray *argv, const struct cli_cc_place *place, bool fortran);
void cli_cc_add_libraries(GPtrArray *argv, const struct cli_cc_place *place);

/* ---- running the compiler (child.c) ---------------------------------------------------------- */

/* Replaces this process. Returns only when that fails, with the exit code. */
int cli_cc_exec(GPtrArray *argv);
/* Its wait status; -1: it did not start. output: receives its standard output, unless NULL. */
int cli_cc_child(GPtrArray *argv, char **output);
/* From hold to release a signal to us waits: the compiler dies of its own, and our files are
 * removed. */
void cli_cc_hold_signals(void);
void cli_cc_release_signals(void);
/* Prints the words, as a shell reads them, on a line of standard output. */
void cli_cc_print(GPtrArray *argv);
int cli_cc_end(int status); /* exit code; or dies of the signal the compiler died of */

/* ---- the plugin (fits.c) --------------------------------------------------------------------- */

/* Can the compiler load the plugin, if it is to compile, and will a rank be what the options ask
 * for? Says on standard error why not. */
bool cli_cc_fits(const struct cli_cc_line *line, char **compiler, const char *command);

/* ---- linking (link.c) ------------------------------------------------------------------------ */

/* Compiles the sources, links. Returns the wait status. compiler: words of the compiler's name. */
int cli_cc_link(const struct cli_cc_line *line, char **compiler, const struct cli_cc_place *place);

/* ---- objects (objects.c) --------------------------------------------------------------------- */

/* Of the files in the linker's own list (-t -t), those that hold code and no hooks: array of names,
 * to be freed with g_ptr_array_unref. */
GPtrArray *cli_cc_uninstrumented(const char *linker_list, const struct cli_cc_place *place);
/* Is it, or has it, an object that an older version compiled, which cannot be linked any more? */
bool cli_cc_older(const char *path);
/* Assembler text of a note that names them; cli_cc_read_note reads it back from a program. */
char *cli_cc_note(const GPtrArray *names);

#endif
