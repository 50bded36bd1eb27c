/* report: what people read about a made-up run. */
#include "report_made.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void the_text_tells_program_machine_ranks_time_and_where_it_went(void)
{
    struct report_run run = made_run();
    g_autofree char *text = flowing(&run);
    SAYS(text, "place-g.so on t3d, 2 ranks: 4 ms");
    SAYS(text, "a made-up torus");
    SAYS(text, "with ni.invalidate=none");
    SAYS(text, "0 4 ms 1 ms 25 % 2 ms 50 % 0 s 0 % 1 ms 25 %");
    SAYS(text, "L1 4,000 loads, 25 % missed 2,000 stores, 1.0 % missed 3 invalidated by others, 7 "
               "flushed");
    SAYS(text, "L1 load misses go from 5.0 % on rank 0 to 45 % on rank 1");
    SAYS(text, "node 0 4 transactions 256 B busy 25 % of the time, mean queueing delay 1 µs");
    SAYS(text, "NI of node 0 2 KiB busy 25 % of the time");
    SAYS(text, "old.o was not compiled by sidewinder cc");
    SAYS(text, "None: every load that was seen returned what memory held");
}

static void of_a_few_accesses_it_says_how_many_missed_and_no_share(void)
{
    struct report_run run = made_run();
    struct report_rank rank = run.rank[0];
    struct report_cache cache = {.level = 1, .loads = 8, .load_misses = 8};
    rank.cache = &cache;
    run.rank = &rank;
    run.ranks = 1;
    g_autofree char *text = flowing(&run);
    SAYS(text, "L1 8 loads, 8 missed 0 stores ");
}

static void a_wait_that_is_only_rounding_is_none(void)
{
    struct report_run run = made_run();
    struct report_rank rank = {.time_s = 22, .compute_s = 22, .wait_s = 1.5e-15, .finished = true};
    run.rank = &rank;
    run.ranks = 1;
    g_autofree char *text = flowing(&run);
    SAYS(text, "0 22 s 22 s 100 % 0 s 0 % 0 s 0 % 0 s 0 %");
    SAYS(text, "and 0 % waiting");
}

static void a_time_below_a_picosecond_is_not_written_in_digits(void)
{
    g_autofree char *less = report_time(4.386e-14), *one = report_time(1e-12);
    CU_ASSERT_STRING_EQUAL(less, "<1 ps");
    CU_ASSERT_STRING_EQUAL(one, "1 ps");
}

static void a_lock_of_accumulates_names_its_holder_and_what_is_taken_its_target(void)
{
    struct report_why why = {"atomic", "a.c:3", "", 2, 1, .behind_rank = -1};
    g_autofree char *held = report_cause_words(&why);
    why.at = "?";
    g_autofree char *taken = report_cause_words(&why);
    CU_ASSERT_STRING_EQUAL(held, "the lock of accumulates was held for a.c:3, by rank 2");
    CU_ASSERT_STRING_EQUAL(taken, "the atomic unit or the lock of accumulates was taken at rank 2");
}

static void what_the_machine_cannot_have_done_is_the_first_line(void)
{
    struct report_run run = made_run();
    run.audit = "the bus of node 0 was busy for 2 s of 1 s";
    g_autofree char *text = flowing(&run);
    CU_ASSERT_TRUE(g_str_has_prefix(
        text, "Do not use these figures: the bus of node 0 was busy for 2 s of 1 s. "));
}

static void the_text_says_what_was_not_checked(void)
{
    struct report_run run = made_run();
    g_autofree char *text = flowing(&run);
    SAYS(text, "Violations None in calls (arguments, epochs, matching)");
    SAYS(text, "Accesses to windows were not checked");
    findings_violation_note(&(struct findings_violation){
        .rule = "rule", .message = (char *)"broken", .rank = 1, .other_rank = -1});
    g_autofree char *broken = flowing(&run);
    CU_ASSERT_PTR_NULL(strstr(broken, "None in calls"));
    SAYS(broken, "rule: broken.");
    SAYS(broken, "Accesses to windows were not checked");
}

static void operations_are_told_by_count_bytes_latency_and_service_delay(void)
{
    struct report_run run = made_run();
    made_operation(1e-3, 1e-3 + 4e-6);
    made_operation(2e-3, 2e-3 + 8e-6);
    g_autofree char *text = flowing(&run);
    SAYS(text, "put 2 2 KiB 6 µs 4.053 µs 8 µs 8 µs 8 µs 1 µs");
    CU_ASSERT_PTR_NULL(strstr(text, "to describe datatypes"));
}

static void what_described_datatypes_to_the_targets_is_told_in_bytes(void)
{
    struct report_run run = made_run();
    trace_operation(&(struct op_trail){
        .kind = OP_PUT, .bytes = 1024, .call = "MPI_Put", .carrier = "eager", .description = 1024});
    trace_operation(&(struct op_trail){
        .kind = OP_GET, .bytes = 1024, .call = "MPI_Get", .carrier = "eager", .description = 1024});
    g_autofree char *text = flowing(&run);
    SAYS(text, "2 KiB more were sent to describe datatypes and operations to the targets.");
}

static void a_stale_load_is_told_with_reader_values_writer_reason_and_remedy(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(1, 42);
    findings_stale_note(&stale);
    g_autofree char *text = flowing(&run);
    SAYS(text, "1 load returned bytes older than memory held.");
    SAYS(text, "Rank 1 read 4 bytes of its own window halo, 8 bytes from its start, at place.c:13, "
               "at time 15.6 µs.");
    SAYS(text, "it saw 1 (0x00000001)");
    SAYS(text, "memory held 42 (0x0000002a)");
    SAYS(text, "Rank 0 wrote that with MPI_Put at place.c:7; it reached memory at 12.3 µs, 3.3 µs "
               "before the load.");
    SAYS(text, "On t3d MPI_Put changes memory, not the target's cache (ni.invalidate=none).");
    SAYS(text, "Rank 1 would have seen it after MPI_Win_fence or MPI_Win_lock");
    SAYS(text, "This happened once.");
}

static void a_million_stale_loads_make_one_paragraph_with_the_count(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(1, 42);
    for (int i = 0; i < 1000000; i++) {
        stale.time_s += 1e-9;
        findings_stale_note(&stale);
    }
    g_autofree char *text = flowing(&run);
    CU_ASSERT_EQUAL(occurrences(text, "it saw"), 1);
    SAYS(text, "1,000,000 loads returned bytes older than memory held.");
    SAYS(text, "This happened 1,000,000 times; the first is shown.");
    CU_ASSERT_TRUE(strlen(text) < 4000);
}

static void writers_of_many_ranks_at_one_line_make_one_paragraph(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(1, 42);
    for (int rank = 2; rank < 102; rank++) {
        stale.writer = op_writer_id(rank, "MPI_Put", place.put);
        findings_stale_note(&stale);
    }
    g_autofree char *text = flowing(&run);
    CU_ASSERT_EQUAL(occurrences(text, "it saw"), 1);
    SAYS(text, "This happened 100 times; the first is shown.");
}

static void doubles_are_shown_as_doubles_and_small_integers_as_integers(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(0, 0);
    double seen = 0, memory = -0.1;
    stale.bytes = 8;
    memcpy(stale.seen, &seen, sizeof seen);
    memcpy(stale.memory, &memory, sizeof memory);
    findings_stale_note(&stale);
    int64_t old = -1, new = 1000000;
    stale.load_site = place.put;
    memcpy(stale.seen, &old, sizeof old);
    memcpy(stale.memory, &new, sizeof new);
    findings_stale_note(&stale);
    g_autofree char *text = flowing(&run);
    SAYS(text, "memory held -0.1 (0xbfb999999999999a)");
    SAYS(text, "it saw -1 (0xffffffffffffffff)");
    SAYS(text, "memory held 1000000 (0x00000000000f4240)");
}

static void lost_updates_victims_and_violations_are_told(void)
{
    struct report_run run = made_run();
    struct findings_stale stale = made_stale(0, 0);
    struct findings_note lost = {.kind = FINDINGS_NOTE_LOST_UPDATE,
                                 .rank = 1,
                                 .time_s = 1e-3,
                                 .segment = stale.segment,
                                 .offset = 4,
                                 .site = place.load,
                                 .call = "store",
                                 .writer = stale.writer,
                                 .bytes = 3};
    struct findings_note victim = {.kind = FINDINGS_NOTE_VICTIM,
                                   .rank = 1,
                                   .time_s = 2e-3,
                                   .segment = -1,
                                   .writer = stale.writer};
    char message[] = "an operation outside an epoch";
    struct findings_violation violation = {.rule = "MPI-2 11.7 rule 1",
                                           .message = message,
                                           .rank = 1,
                                           .time_s = 3e-3,
                                           .site = place.load,
                                           .other_rank = 0,
                                           .other_call = "MPI_Put",
                                           .other_site = place.put};
    findings_note(&lost);
    findings_note(&victim);
    findings_violation_note(&violation);
    g_autofree char *text = flowing(&run);
    SAYS(text, "Lost update: rank 1's store at place.c:13");
    SAYS(text, "older values over 3 bytes of rank 0's MPI_Put at place.c:7 (first rank 1's window "
               "halo, byte 4; once, at time 1 ms)");
    SAYS(text, "Unrelated line invalidated: the line that rank 0's MPI_Put at place.c:7 dropped "
               "from rank 1's cache");
    SAYS(text, "MPI-2 11.7 rule 1: an operation outside an epoch. Rank 1, at place.c:13, at time 3 "
               "ms. The other side: rank 0, "
               "MPI_Put at place.c:7.");
}

static void many_ranks_are_told_by_least_mean_most_and_the_slowest(void)
{
    struct report_run run = made_run();
    enum { MANY = 500 };
    g_autofree struct report_rank *rank = g_new0(struct report_rank, MANY);
    for (int r = 0; r < MANY; r++)
        rank[r] = (struct report_rank){
            .time_s = 4e-3, .compute_s = 1e-3, .wait_s = 3e-3, .finished = true};
    rank[77].compute_s = 3e-3;
    rank[77].wait_s = 1e-3;
    run.rank = rank;
    run.ranks = MANY;
    g_autofree char *text = text_of(&run, false), *words = flowing(&run);
    CU_ASSERT_TRUE(occurrences(text, "\n") < 40);
    SAYS(words, "least 4 ms 1 ms 25 %");
    SAYS(words, "mean 4 ms 1.004 ms");
    SAYS(words, "most 4 ms 3 ms 75 %");
    SAYS(words, "rank 77 4 ms 3 ms 75 % 0 s 0 % 0 s 0 % 1 ms 25 %");
}

static void ranks_that_did_nearly_the_same_share_a_row(void)
{
    struct report_run run = made_run();
    struct report_rank rank[16];
    for (int r = 0; r < 16; r++)
        rank[r] = (struct report_rank){.time_s = 4e-3,
                                       .compute_s = 1e-3 + 1e-6 * r,
                                       .wait_s = 3e-3 - 1e-6 * r,
                                       .finished = true};
    rank[3].compute_s = 3e-3;
    rank[3].wait_s = 1e-3;
    run.rank = rank;
    run.ranks = 16;
    g_autofree char *words = flowing(&run);
    SAYS(words, "0 to 2 4 ms 1.001 ms 25 %");
    SAYS(words, "3 4 ms 3 ms 75 %");
    SAYS(words, "4 to 15 4 ms");
}

static void colour_comes_only_when_asked_for(void)
{
    struct report_run run = made_run();
    g_autofree char *plain = text_of(&run, false), *ink = text_of(&run, true);
    CU_ASSERT_PTR_NULL(strchr(plain, '\033'));
    CU_ASSERT_PTR_NOT_NULL(strchr(ink, '\033'));
}

static void a_deadlock_is_told_by_call_and_line_with_equal_ranks_together(void)
{
    struct report_run run = made_run();
    struct report_rank rank[5] = {{.finished = false, .call = "MPI_Win_wait", .site = place.load},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = false, .call = "MPI_Recv", .site = place.put},
                                  {.finished = true}};
    run.rank = rank;
    run.ranks = 5;
    run.end = REPORT_DEADLOCK;
    g_autofree char *text = flowing(&run);
    SAYS(text, "deadlock at simulated time 4 ms: 4 of 5 ranks wait for ever");
    SAYS(text, "rank 0 waits in MPI_Win_wait at place.c:13");
    SAYS(text, "ranks 1-3 wait in MPI_Recv at place.c:7");
    SAYS(text, "rank 4 finished");
}

UNIT_SUITE(report, UNIT_TEST(the_text_tells_program_machine_ranks_time_and_where_it_went),
           UNIT_TEST(of_a_few_accesses_it_says_how_many_missed_and_no_share),
           UNIT_TEST(a_time_below_a_picosecond_is_not_written_in_digits),
           UNIT_TEST(a_lock_of_accumulates_names_its_holder_and_what_is_taken_its_target),
           UNIT_TEST(a_wait_that_is_only_rounding_is_none),
           UNIT_TEST(what_the_machine_cannot_have_done_is_the_first_line),
           UNIT_TEST(the_text_says_what_was_not_checked),
           UNIT_TEST(operations_are_told_by_count_bytes_latency_and_service_delay),
           UNIT_TEST(what_described_datatypes_to_the_targets_is_told_in_bytes),
           UNIT_TEST(a_stale_load_is_told_with_reader_values_writer_reason_and_remedy),
           UNIT_TEST(a_million_stale_loads_make_one_paragraph_with_the_count),
           UNIT_TEST(writers_of_many_ranks_at_one_line_make_one_paragraph),
           UNIT_TEST(doubles_are_shown_as_doubles_and_small_integers_as_integers),
           UNIT_TEST(lost_updates_victims_and_violations_are_told),
           UNIT_TEST(many_ranks_are_told_by_least_mean_most_and_the_slowest),
           UNIT_TEST(ranks_that_did_nearly_the_same_share_a_row),
           UNIT_TEST(colour_comes_only_when_asked_for),
           UNIT_TEST(a_deadlock_is_told_by_call_and_line_with_equal_ranks_together))
