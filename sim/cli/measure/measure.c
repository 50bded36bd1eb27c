/* Runs the families of benchmarks one after the other, says how exact they were, and writes the
 * machine file. */
#include "cli/common/common.h"
#include "cli/measure/families.h"
#include "cli/measure/file.h"
#include "cli/measure/pin.h"

#include <stdio.h>
#include <unistd.h>

static const struct {
    const char *what;
    void (*measure)(struct cli_bench *b);
} families[] = {
    {"clock", cli_measure_reference},       {"issue", cli_measure_issue},
    {"instructions", cli_measure_pipeline}, {"branches", cli_measure_branches},
    {"caches", cli_measure_caches},         {"pages", cli_measure_pages},
    {"overlap", cli_measure_overlap},       {"issue", cli_measure_issue},
    {"instructions", cli_measure_pipeline}, {"processors", cli_measure_node},
    {"streams", cli_measure_streams},       {"branches", cli_measure_branches},
    {"calls", cli_measure_calls},           {"caches", cli_measure_caches},
    {"pages", cli_measure_pages},           {"overlap", cli_measure_overlap},
    {"issue", cli_measure_issue},           {"instructions", cli_measure_pipeline},
    {"streams", cli_measure_streams},       {"branches", cli_measure_branches},
    {"calls", cli_measure_calls},           {"targets", cli_measure_targets},
    {"clock", cli_measure_clock},
};

/* What comes again brings better numbers (best.c); once is enough where it should be quick. */
static bool came_before(size_t family)
{
    for (size_t i = 0; i < family; i++)
        if (families[i].measure == families[family].measure) return true;
    return false;
}

static bool comes_again(size_t family)
{
    for (size_t i = family + 1; i < G_N_ELEMENTS(families); i++)
        if (families[i].measure == families[family].measure) return true;
    return false;
}

static void progress(const char *what)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s", what ? what : "");
}

static void say_how_exact(const struct cli_bench *b, bool pinned, double share)
{
    if (!pinned)
        fprintf(stderr, "sidewinder machines: not allowed to stay on one processor "
                        "(sched_setaffinity): all numbers are less exact, the clock and small "
                        "caches most\n");
    if (share < 1 - CLI_MUCH)
        fprintf(
            stderr,
            "sidewinder machines: loaded computer: the benchmarks had their processor for %.0f %% "
            "of the time\n",
            100 * share);
    if (b->spread > CLI_MUCH)
        fprintf(stderr,
                "sidewinder machines: loaded computer: the largest spread, (median - minimum) / "
                "minimum, is %.0f %%, of %s; each number's stands beside it\n",
                100 * b->spread, b->of);
}

int cli_measure(const struct cli_measure_options *options)
{
    const char *refused = cli_code_refused();
    if (refused) {
        fprintf(stderr, "sidewinder machines: --measure: %s\n", refused);
        return CLI_FAILED;
    }
    struct cli_bench b = {.quick = options->quick,
                          .all = options->all,
                          .cycle = g_array_new(FALSE, FALSE, sizeof(double)),
                          .best = cli_best_new(),
                          .row = g_array_new(FALSE, FALSE, sizeof(struct cli_row))};
    bool pinned = cli_pin();
    cli_share();
    for (size_t i = 0; i < G_N_ELEMENTS(families); i++) {
        if (options->quick && came_before(i)) continue;
        progress(families[i].what);
        if (!options->quick && comes_again(i))
            cli_measure_early(&b, families[i].measure);
        else
            cli_measure_family(&b, families[i].measure);
    }
    progress(NULL);
    say_how_exact(&b, pinned, cli_share());
    GError *error = NULL;
    g_autofree char *text = cli_measure_file(&b, &error);
    if (text)
        fputs(text, stdout);
    else {
        fprintf(stderr, "sidewinder machines: --measure: %s\n", error->message);
        g_error_free(error);
    }
    cli_rows_clear(&b);
    g_array_free(b.cycle, TRUE);
    g_hash_table_destroy(b.best);
    return text ? CLI_DONE : CLI_FAILED;
}
