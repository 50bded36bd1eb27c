/* The flags that make a program's loads and stores seen, and where Sidewinder's own parts lie. */
#include "cli/cc/parts.h"

#include <string.h>
#include <unistd.h>

#ifndef SIDEWINDER_SMPI_INCLUDE
#define SIDEWINDER_SMPI_INCLUDE "/usr/include/smpi" /* Debian's libsimgrid-dev */
#endif

/* Before the user's words. */
static const char *const before[] = {"-fno-tree-vectorize",
                                     /* the machines have no vectors: an access is a word */
                                     "-fno-tree-slp-vectorize",
                                     /* and of its own line */
                                     "-fno-store-merging",
                                     /* With -g gcc follows each variable from instruction to
                                        instruction, of which an access has many: a function of 300
                                        calls with their variables took 73 s, now 3. */
                                     "--param=max-vartrack-size=3000000", NULL};

/* The same in Fortran. */
static const char *const before_fortran[] = {
    /* one buffer is an INTEGER array, the next one REAL: MPI's calls have no types there */
    "-fallow-argument-mismatch",
    /* the library's loads and stores would not be seen */
    "-ffrontend-optimize",
    /* STOP would report the simulator's floating-point exceptions */
    "-ffpe-summary=none",
    /* a crash is Sidewinder's to report: the library does not find the lines of a rank's copy */
    "-fno-backtrace", NULL};

/* After the user's words. */
static const char *const after[] = {
    "-fPIC", "-fno-semantic-interposition", /* each rank's copy is a shared object */
    "-fno-lto",                             /* code must be instrumented when it is compiled */
    "-fno-crossjumping",                    /* a call has a line of its own, whatever is alike */
    "-fno-ipa-icf",                         /* so has a function, and what it does */
    "-fno-ipa-sra",                         /* a load is made by the function that has it */
    "-fno-hoist-adjacent-loads",            /* one in another branch is not made */
    "-U_FORTIFY_SOURCE",                    /* __memcpy_chk and its like would not be seen */
    /* Copies of structures are seen as what they are: they must not become calls of memcpy, which
       sees them again. */
    "-mmemcpy-strategy=unrolled_loop:256:noalign,rep_8byte:-1:noalign",
    "-mmemset-strategy=unrolled_loop:256:noalign,rep_8byte:-1:noalign", NULL};

static void add_all(GPtrArray *argv, const char *const *words)
{
    for (; *words; words++) g_ptr_array_add(argv, g_strdup(*words));
}

void cli_cc_add_before(GPtrArray *argv, const struct cli_cc_line *line,
                       const struct cli_cc_place *place, bool fortran)
{
    /* before what the user may tell it */
    g_ptr_array_add(argv, g_strdup_printf("-fplugin=%s", place->plugin));
    add_all(argv, before);
    if (fortran) add_all(argv, before_fortran);
    /* lines for the report, and nothing else */
    if (!line->debug) g_ptr_array_add(argv, g_strdup("-g1"));
}

void cli_cc_add_after(GPtrArray *argv, const struct cli_cc_place *place, bool fortran)
{
    add_all(argv, after);
    if (!fortran) {
        /* gcc makes a C++ inline function's variables one for the whole process, all ranks' copies
         * included; in C it is a no-op. */
        g_ptr_array_add(argv, g_strdup("-fno-gnu-unique"));
        return;
    }
    /* Fortran has no header that could give the calls of a dialect other names: the assembler does.
     */
    g_autofree char *names =
        g_build_filename(place->include, "dialect", place->dialect, "fortran.s", NULL);
    if (access(names, R_OK) == 0) g_ptr_array_add(argv, g_strdup_printf("-Wa,%s", names));
}

static void add_folder(GPtrArray *argv, bool fortran, char *folder)
{
    if (fortran && access(folder, X_OK) != 0) { /* gfortran warns */
        g_free(folder);
        return;
    }
    g_ptr_array_add(argv, g_strdup(fortran ? "-I" : "-isystem"));
    g_ptr_array_add(argv, folder);
}

void cli_cc_add_includes(GPtrArray *argv, const struct cli_cc_place *place, bool fortran)
{
    /* A dialect's own <mpi.h> has the proposal's names; the folder of "mpi" does not exist. */
    add_folder(argv, fortran, g_build_filename(place->include, "dialect", place->dialect, NULL));
    add_folder(argv, fortran, g_strdup(place->include));
    add_folder(argv, fortran, g_strdup(SIDEWINDER_SMPI_INCLUDE));
    /* Our mpif.h includes 'smpi/mpif.h': Fortran has no #include_next. */
    if (fortran) add_folder(argv, fortran, g_path_get_dirname(SIDEWINDER_SMPI_INCLUDE));
}

void cli_cc_add_libraries(GPtrArray *argv, const struct cli_cc_place *place)
{
    g_ptr_array_add(argv, g_strdup_printf("-L%s", place->library));
    g_ptr_array_add(argv, g_strdup_printf("-Wl,-rpath,%s", place->library));
    /* Ours first, or SMPI's MPI_Put wins; and needed even by a program that calls neither. */
    g_ptr_array_add(argv, g_strdup("-Wl,--push-state,--no-as-needed"));
    g_ptr_array_add(argv, g_strdup("-lsidewinder"));
    g_ptr_array_add(argv, g_strdup("-lsimgrid"));
    g_ptr_array_add(argv, g_strdup("-Wl,--pop-state"));
}

/* The build tree has the shape of the installed one: bin, lib and include beside each other. */
bool cli_cc_place(struct cli_cc_place *place, GError **error)
{
    *place = (struct cli_cc_place){NULL};
    g_autofree char *self = g_file_read_link("/proc/self/exe", error);
    if (!self) return false;
    g_autofree char *folder = g_path_get_dirname(self);
    place->library = g_canonicalize_filename("../lib", folder);
    place->start_object = g_build_filename(place->library, "sw_start.o", NULL);
    place->program_object = g_build_filename(place->library, "sw_program.o", NULL);
    place->fortran_object = g_build_filename(place->library, "sw_fortran.o", NULL);
    place->signal_archive = g_build_filename(place->library, "libsw_signal.a", NULL);
    place->cplusplus_archive = g_build_filename(place->library, "libsw_cplusplus.a", NULL);
    place->profile_archive = g_build_filename(place->library, "libsw_profile.a", NULL);
    place->plugin = g_build_filename(place->library, "sw_plugin.so", NULL);
    place->include = g_canonicalize_filename("../include/sidewinder", folder);
    g_autofree char *header = g_build_filename(place->include, "sidewinder.h", NULL);
    const char *missing = access(header, R_OK) != 0                     ? "sidewinder.h"
                          : access(place->start_object, R_OK) != 0      ? "sw_start.o"
                          : access(place->program_object, R_OK) != 0    ? "sw_program.o"
                          : access(place->fortran_object, R_OK) != 0    ? "sw_fortran.o"
                          : access(place->signal_archive, R_OK) != 0    ? "libsw_signal.a"
                          : access(place->cplusplus_archive, R_OK) != 0 ? "libsw_cplusplus.a"
                          : access(place->profile_archive, R_OK) != 0   ? "libsw_profile.a"
                          : access(place->plugin, R_OK) != 0            ? "sw_plugin.so"
                                                                        : NULL;
    if (!missing) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                "%s is not where %s expects it: build or install again", missing, self);
    return false;
}

void cli_cc_place_clear(struct cli_cc_place *place)
{
    g_free(place->include);
    g_free(place->library);
    g_free(place->start_object);
    g_free(place->program_object);
    g_free(place->fortran_object);
    g_free(place->signal_archive);
    g_free(place->profile_archive);
    g_free(place->cplusplus_archive);
    g_free(place->plugin);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **cli_cc_dialects(const struct cli_cc_place *place)
{
    GPtrArray *names = g_ptr_array_new();
    g_autofree char *path = g_build_filename(place->include, "dialect", NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    for (const char *name; folder && (name = g_dir_read_name(folder)) != NULL;) {
        g_autofree char *needed =
            g_build_filename(path, name, place->fortran ? "fortran.s" : "mpi.h", NULL);
        if (g_file_test(needed, G_FILE_TEST_EXISTS)) g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, by_name);
    g_ptr_array_insert(names, 0, g_strdup("mpi")); /* it has no folder */
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
