/* Loops against gcc's own schedule for the 21064 and the UltraSPARC-1 (results/processor/schedule).
 */
#include "cpu/cpu_scene.h"
#include "unit.h"

#include <math.h>

/* Each kernel as the compiler plugin would describe it for x86: an index that counts, addresses of
 * two registers. The schedule has no chains that a loop carries: they are counted here, from
 * ev4.md and ultra1_2.md. */
static const struct kernel {
    const char *name;
    double alpha, alpha_chain, sparc, sparc_chain;
    const char *ops;
} kernel[] = {
    {"dot", 10, 4, 7, 3,
     "phi f8 <5 _\nphi i8 <6 _\nload f8 indexed _ .1\nload f8 indexed _ .1\n"
     "fp_multiply f8 .2 .3\nfp_add f8 live .0 .4\nadd i8 .1 #5\ncompare i4 .6 _\nbranch i4 .7\n"},
    {"axpy", 15, 1, 7, 1,
     "phi i8 <6 _\nload f8 indexed _ .0\nload f8 indexed _ .0\nfp_multiply f8 .2 _\n"
     "fp_add f8 .1 .3\nstore f8 indexed .4 _ .0\nadd i8 .0 #5\ncompare i4 .6 _\nbranch i4 .7\n"},
    {"isum", 4, 1, 3, 1,
     "phi i8 <3 _\nphi i8 <4 _\nload i8 .1\nadd i8 live .0 .2\nadd i8 .1 #5\n"
     "compare i4 .4 _\nbranch i4 .5\n"},
    {"poly", 6, 8, 4, 6,
     "phi f8 <4 _\nphi i8 <5 _\nload f8 .1\nfp_multiply f8 .0 _\nfp_add f8 live .3 .2\n"
     "add i8 .1 #5\ncompare i4 .5 _\nbranch i4 .6\n"},
    {"scale", 11, 1, 4, 1,
     "phi i8 <4 _\nload f8 indexed _ .0\nfp_multiply f8 .1 _\nstore f8 indexed .2 _ .0\n"
     "add i8 .0 #5\ncompare i4 .4 _\nbranch i4 .5\n"},
    {"recip", 68, 1, 27, 1,
     "phi i8 <4 _\nload f8 indexed _ .0\nfp_divide f8 _ .1\nstore f8 indexed .2 _ .0\n"
     "add i8 .0 #5\ncompare i4 .4 _\nbranch i4 .5\n"},
    {"bytes", 7, 1, 3, 1,
     "phi i8 <4 _\nphi i8 <5 _\nload i1 .1\nconvert i8 from i1 .2\nadd i8 live .0 .3\n"
     "add i8 .1 #2\ncompare i4 .5 _\nbranch i4 .6\n"},
};

/* Price over schedule. */
static double ratio(const char *machine, const struct kernel *k, double schedule)
{
    g_autofree char *text = g_strdup_printf("function f\nblock loop -> 0 9900 1 100\n%s"
                                            "block\nreturn i4\n",
                                            k->ops);
    return scene_cycles(machine, "cpu.branch_miss=0", text, 0) / schedule;
}

/* Geometric mean of max(r, 1/r), and the worst. */
static void compare(const char *machine, bool alpha)
{
    double sum = 0, worst = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(kernel); i++) {
        const struct kernel *k = &kernel[i];
        double schedule = alpha ? MAX(k->alpha, k->alpha_chain) : MAX(k->sparc, k->sparc_chain);
        double r = ratio(machine, k, schedule), off = fabs(log(r));
        if (off > log(1.3))
            fprintf(stderr, "    %s on %s: %.2f of gcc's schedule\n", k->name, machine, r);
        sum += off;
        worst = MAX(worst, off);
    }
    CU_ASSERT(exp(sum / G_N_ELEMENTS(kernel)) <= 1.3);
    CU_ASSERT(exp(worst) <= 2);
}

static void loops_on_the_21064_cost_what_gcc_schedules_for_it(void) { compare("t3d", true); }
static void loops_on_the_ultrasparc_cost_what_gcc_schedules_for_it(void) { compare("smp", false); }

UNIT_SUITE(cpu_gcc, UNIT_TEST(loops_on_the_21064_cost_what_gcc_schedules_for_it),
           UNIT_TEST(loops_on_the_ultrasparc_cost_what_gcc_schedules_for_it))
