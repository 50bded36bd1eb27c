/* mach: a machine as checked numbers.
 *
 * A machine is a SimGrid platform file whose <prop>s also describe processors, caches, coherence,
 * network interface and servicing. This room reads the props (without SimGrid), applies `--set
 * key=value`, checks every value and the whole, and writes the platform with the resolved numbers
 * for the run. What a key means, its unit, its default and its range stand in keys.def, one row a
 * key. Sources of the numbers: the comments in platforms/.
 */
#ifndef MACH_MACH_H
#define MACH_MACH_H

#include "base/base.h"

enum { MACH_LEVELS = 8 }; /* cache levels l1 to l8 */

/* Classes of operations: MACH_INT_ADD, as classes.def lists them. */
enum mach_class {
#define CLASS(name, word, help) MACH_##name,
#include "mach/classes.def"
#undef CLASS
    MACH_CLASSES
};

/* Functions of libraries: MACH_FUNCTION_sin, as functions.def lists them. */
enum mach_function {
#define FUNCTION(name) MACH_FUNCTION_##name,
#include "mach/functions.def"
#undef FUNCTION
    MACH_FUNCTIONS
};

/* One cache level: cache.l1.size is cache[0].size. */
struct mach_cache {
#define MACH_CACHE_KEY(kind, type, field, unit, words, def, min, max, help) type field;
#include "mach/keys.def"
#undef MACH_CACHE_KEY
};

/* One class of operations: cpu.latency.fp_add is class[MACH_FP_ADD].latency. */
struct mach_class_keys {
#define MACH_CLASS_KEY(kind, type, field, unit, def, min, max, help) type field;
#include "mach/keys.def"
#undef MACH_CLASS_KEY
};

/* One function: cpu.library.sin is function[MACH_FUNCTION_sin].library. */
struct mach_function_keys {
#define MACH_FUNCTION_KEY(kind, type, field, unit, def, min, max, help) type field;
#include "mach/keys.def"
#undef MACH_FUNCTION_KEY
};

/* One field a key: dots of the key become underscores. Seconds, bytes, Hz and bytes/s as double
 * (`_cycles`: cycles of cpu.clock); counts as int, sizes as uint64_t, yes or no as bool; words are
 * constant strings out of the key's list. */
struct mach {
#define MACH_KEY(kind, type, field, key, unit, words, def, min, max, help) type field;
#include "mach/keys.def"
#undef MACH_KEY
    struct mach_cache cache[MACH_LEVELS];
    struct mach_class_keys op[MACH_CLASSES];
    struct mach_function_keys function[MACH_FUNCTIONS];
    int levels; /* caches there are: cache[0] to cache[levels - 1] */
    /* of a message: net.overhead_* and what the operating system does; see mach_resolve */
    double send_s, receive_s;
    int torus[3];             /* nodes in x, y, z where net.topology is torus; else nodes, 1, 1 */
    char *name;               /* "t3d" */
    char *doc;                /* one line: the first sentence of the file's first comment */
    char *file;               /* where it was read */
    struct mach_value *value; /* mach_keys() of them, in the order of keys.def; see mach_key */
};

/* ---- keys and where their values come from --------------------------------------------------- */

/* From MACH_WORD on the field is a text: a word of a list, or what mach_parse_* below reads. */
enum mach_kind {
    MACH_REAL,
    MACH_INT,
    MACH_SIZE,
    MACH_BOOL,
    MACH_WORD,
    MACH_LATENCY,
    MACH_PORTS,
    MACH_LOWER
};
struct mach_key {
    char *name;          /* "cache.l1.size" */
    const char *help;    /* one line */
    enum mach_kind kind; /* C type of the field */
    enum base_unit unit;
    const char *words; /* MACH_WORD: the accepted words, blanks between */
    const char *def;   /* default, as one would write it */
    double min, max;   /* accepted, both included */
    size_t offset;     /* in struct mach */
    int level;         /* cache level from 1; 0: not a cache's key */
};
enum mach_from { MACH_FROM_DEFAULT, MACH_FROM_FILE, MACH_FROM_SET };
struct mach_value {
    enum mach_from from;
    int line;     /* in the file, MACH_FROM_FILE */
    char *text;   /* as written */
    char *source; /* the comment beside it; NULL: none */
    char *was;    /* MACH_FROM_SET: the file's value; NULL: it has none */
};
size_t mach_keys(void);
const struct mach_key *mach_key(size_t i);
double mach_number(const struct mach *m, size_t i); /* value of key i; not for texts */
/* "one of back, through". Free with g_free */
char *mach_key_accepts(const struct mach_key *key);
/* with its unit: "8KiB", "polling". Free with g_free */
char *mach_show(const struct mach *m, size_t i);

/* ---- the texts of a pipeline -------------------------------------------------------------------
 */

/* Cycles from the issue of an operation to that of one which uses its result, by what it uses it
 * for: "4", or with exceptions "4, store 6, branch 6". */
enum mach_use { MACH_USE_VALUE, MACH_USE_ADDRESS, MACH_USE_STORE, MACH_USE_BRANCH, MACH_USES };
struct mach_latency {
    int cycles[MACH_USES];
};
/* "p01+p6": in its cycle it takes one of ports 0 and 1, and port 6. Ports are hexadecimal digits;
 * "any": none. */
enum { MACH_PORT_SETS = 4, MACH_PORT_COUNT = 16 };
struct mach_ports {
    int sets;
    uint16_t set[MACH_PORT_SETS];
};
/* "load+shift": operations, each of which needs the one before; "100cycles": a function of the
 * machine's library, during which nothing else issues; "native": the machine has it, both 0. */
enum { MACH_LOWER_STEPS = 16 };
struct mach_lower {
    int steps;
    uint8_t step[MACH_LOWER_STEPS]; /* enum mach_class */
    int cycles;
};
/* False: *error has what is wrong and what is accepted; not for texts of a loaded machine. */
bool mach_parse_latency(const char *text, struct mach_latency *latency, GError **error);
bool mach_parse_ports(const char *text, struct mach_ports *ports, GError **error);
bool mach_parse_lower(const char *text, struct mach_lower *lower, GError **error);
const char *mach_class_word(enum mach_class c);       /* "int_add" */
const char *mach_function_word(enum mach_function f); /* "sin" */
/* Cycles of one load or store among others of its kind, in code that is no block of the program: a
 * library's copy, a servicing routine. */
double mach_word_cycles(const struct mach *m, enum mach_class c);

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads the machine called name_or_path (a name of the platforms folder; with '/' or ".xml", a
 * file), applies the sets
 * ("k=v", NULL ended; NULL: none) and checks the whole, also that `ranks` have a processor each (0:
 * not asked). False: *error has the file and line, or the option, the key, and what is accepted. */
bool mach_load(const char *name_or_path, const char *const *sets, int ranks, struct mach **m,
               GError **error);
void mach_free(struct mach *m);
/* Names in the platforms folder, sorted; free with g_strfreev. SIDEWINDER_PLATFORMS, or beside the
 * program's own file:
 * ../share/sidewinder/platforms (installed), ../platforms and ../../platforms (build tree). */
char **mach_list(void);
/* that folder, or NULL; free with g_free */
char *mach_folder(void);

/* ---- ranks and nodes: blocks, the first ranks on node 0 -------------------------------------- */
/* ranks on a node that is full; further processors are idle */
static inline int mach_node_ranks(const struct mach *m)
{
    return m->ranks_per_node ? m->ranks_per_node : m->cpus;
}
static inline int mach_node_of(const struct mach *m, int rank) { return rank / mach_node_ranks(m); }
static inline int mach_nodes_for(const struct mach *m, int ranks)
{
    return (ranks + mach_node_ranks(m) - 1) / mach_node_ranks(m);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The machine as a platform file: hosts node-0 ... for SimGrid, its numbers as they were written,
 * each with its source; of one that was set, what it was. Reading it gives the same numbers bit by
 * bit. A machine made of m gets a name and a doc of its own. Free with g_free. */
char *mach_platform(const struct mach *m, const char *name, const char *doc);
/* The same under its own name, for one run of so many ranks: behind a switch only their nodes. */
bool mach_write_platform(const struct mach *m, int ranks, const char *path, GError **error);
/* One line a rank, for smpirun: the host of its node. */
bool mach_write_hostfile(const struct mach *m, int ranks, const char *path, GError **error);
/* SHA-256 of all resolved numbers, in hex: two machines of one version have the same exactly when
 * they behave the same, whatever they are called and however they were described. Keys at their
 * default ("has no such thing") leave no trace, so a new key changes no machine without it. Free
 * with g_free. */
char *mach_digest(const struct mach *m);
/* Every parameter with value, where it comes from and its source, for people. Free with g_free. */
char *mach_describe(const struct mach *m, bool colour);

/* Invariants the tests check: a written platform reads back equal; every number of platforms/ has a
 * source; a torus has exactly `nodes` nodes and no other factors are nearer to a cube. */

#endif
