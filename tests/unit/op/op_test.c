/* op: layouts, totals, writers, and what is folded in the record. */
#include "record.h"

#include <glib.h>
#include <string.h>

#include "unit.h"

static void packing_gathers_the_pieces_in_order_and_unpacking_puts_them_back(void)
{
    /* Three pieces out of address order, one below the base (a negative lower bound). */
    const struct op_piece piece[] = {{4, 2}, {-3, 3}, {8, 1}};
    const struct op_layout layout = {.piece = piece, .pieces = 3, .bytes = 6, .low = -3, .high = 9};
    char from[] = "abcdefghijklmnop", packed[7] = "", to[] = "................";
    op_pack(&layout, from + 4, packed);
    UNIT_STRING(packed, "ijbcdm");
    op_unpack(&layout, to + 4, packed);
    UNIT_STRING(to, ".bcd....ij..m...");
    const struct op_layout empty = {0};
    op_pack(&empty, NULL, NULL);
    op_unpack(&empty, NULL, NULL);
}

static struct op_trail trail(enum op_kind kind, double called_s, double completed_s)
{
    return (struct op_trail){.kind = kind,
                             .origin = 1,
                             .target = 2,
                             .bytes = 64,
                             .call = "MPI_Put",
                             .carrier = "rdma",
                             .site = 0x40,
                             .at_s = {called_s, -1, -1, -1, -1, completed_s}};
}

static void totals_count_operations_bytes_latency_and_service_delay_by_kind(void)
{
    record_clear();
    struct op_trail t = trail(OP_PUT, 1, 2);
    t.at_s[OP_ARRIVED] = 1.25;
    t.at_s[OP_SERVICED] = 1.75;
    trace_operation(&t);
    t = trail(OP_PUT, 2, 5); /* never serviced: a processor's own stores */
    trace_operation(&t);
    t = trail(OP_GET, 0, 1);
    trace_operation(&t);
    const struct trace_total *put = trace_total(OP_PUT);
    UNIT_EQUAL(put->count, 2);
    UNIT_EQUAL(put->bytes, 128);
    UNIT_NEAR(put->latency_sum_s, 4, 0);
    UNIT_NEAR(put->latency_max_s, 3, 0);
    UNIT_NEAR(put->service_delay_sum_s, 0.5, 0);
    UNIT_EQUAL(trace_total(OP_GET)->count, 1);
    UNIT_EQUAL(trace_total(OP_ACCUMULATE)->count, 0);
    record_clear();
    UNIT_EQUAL(trace_total(OP_PUT)->count, 0);
}

static void equal_writers_have_one_number_and_it_tells_them_again(void)
{
    record_clear();
    char put[] = "MPI_Put"; /* equal text, another address */
    uint32_t a = op_writer_id(3, "MPI_Put", 0x10), b = op_writer_id(3, put, 0x10),
             c = op_writer_id(4, "MPI_Put", 0x10);
    UNIT_EQUAL(a > 0, true);
    UNIT_EQUAL(b, a);
    UNIT_EQUAL(c != a, true);
    UNIT_EQUAL(op_writer(c).rank, 4);
    UNIT_EQUAL(op_writer(a).site, 0x10);
    UNIT_STRING(op_writer(a).call, "MPI_Put");
    UNIT_EQUAL(op_writer(0).rank, -1);
    UNIT_EQUAL(op_writer(99).rank, -1);
    record_clear();
}

static void writers_beyond_the_last_number_are_nobody_and_known_ones_stay_known(void)
{
    record_clear();
    uint32_t first = op_writer_id(0, "store", 1);
    for (op_site site = 2; site < 1 << 20; site++) op_writer_id(0, "store", site);
    UNIT_EQUAL(op_writer_id(0, "store", 1 << 21), 0);
    UNIT_EQUAL(op_writer_id(0, "store", 1), first);
    record_clear();
}

static void a_million_stale_loads_of_a_site_and_a_writer_site_are_one_record(void)
{
    record_clear();
    struct findings_stale stale = {
        .rank = 5, .bytes = 8, .load_site = 0x100, .writer = op_writer_id(0, "MPI_Put", 0x10)};
    for (int i = 0; i < 1000000; i++) {
        stale.time_s = i;
        findings_stale_note(&stale);
    }
    /* the same line of the program on another rank: the same kind */
    stale.writer = op_writer_id(7, "MPI_Put", 0x10);
    findings_stale_note(&stale);
    UNIT_EQUAL(findings_stale_count(), 1);
    UNIT_EQUAL(findings_stale_get(0)->count, 1000001);
    UNIT_NEAR(findings_stale_get(0)->time_s, 0, 0); /* the first is kept */
    UNIT_EQUAL(op_writer(findings_stale_get(0)->writer).rank, 0);
    stale.writer = op_writer_id(0, "MPI_Put", 0x20);
    findings_stale_note(&stale);
    stale.writer = op_writer_id(0, "MPI_Accumulate", 0x20);
    findings_stale_note(&stale);
    stale.load_site = 0x104;
    findings_stale_note(&stale);
    UNIT_EQUAL(findings_stale_count(), 4);
    UNIT_EQUAL(findings_stale_get(3)->load_site, 0x104);
    record_clear();
    UNIT_EQUAL(findings_stale_count(), 0);
}

static void notes_are_folded_by_kind_rank_site_and_writer(void)
{
    record_clear();
    struct findings_note note = {.kind = FINDINGS_NOTE_VICTIM, .rank = 1, .site = 8, .writer = 3};
    findings_note(&note);
    findings_note(&note);
    note.kind = FINDINGS_NOTE_LOST_UPDATE;
    findings_note(&note);
    note.rank = 2;
    findings_note(&note);
    UNIT_EQUAL(findings_note_count(), 3);
    UNIT_EQUAL(findings_note_get(0)->count, 2);
    UNIT_EQUAL(findings_note_get(2)->rank, 2);
    record_clear();
    UNIT_EQUAL(findings_note_count(), 0);
}

static void violations_keep_their_own_message_and_the_same_one_again_is_counted(void)
{
    record_clear();
    char message[] = "put outside the window";
    struct findings_violation v = {
        .rule = "MPI-2 11.3", .message = message, .rank = 1, .site = 8, .other_rank = -1};
    findings_violation_note(&v);
    findings_violation_note(&v);
    message[0] = 'P';
    findings_violation_note(&v);
    UNIT_EQUAL(findings_violation_count(), 2);
    UNIT_STRING(findings_violation_get(0)->message, "put outside the window");
    UNIT_EQUAL(findings_violation_get(0)->count, 2);
    UNIT_EQUAL(findings_violation_get(1)->count, 1);
    record_clear();
    UNIT_EQUAL(findings_violation_count(), 0);
}

static void segments_are_numbered_from_zero_and_keep_the_name_they_are_given(void)
{
    record_clear();
    UNIT_EQUAL(op_segment(0) == NULL, true);
    UNIT_EQUAL(op_segment_add(2, 0x1000, 64, "MPI_Win_fence"), 0);
    UNIT_EQUAL(op_segment_add(3, 0x2000, 128, "MPI_Win_fence"), 1);
    const struct op_segment *first = op_segment(0); /* stays where it is when others are added */
    op_segment_name(1, "halo");
    UNIT_STRING(op_segment(0)->name, "segment 0");
    UNIT_STRING(op_segment(1)->name, "halo");
    UNIT_EQUAL(op_segment(1)->rank, 3);
    UNIT_EQUAL(op_segment(0) == first, true);
    UNIT_EQUAL(op_segment(2) == NULL && op_segment(-1) == NULL, true);
    record_clear();
}

static void a_piece_of_a_segment_is_named_as_a_person_would(void)
{
    struct op_memory m;
    CU_ASSERT(op_memory_read("0:1:16:4", &m, NULL));
    UNIT_STRING(m.name, "window 0");
    UNIT_EQUAL(m.rank, 1);
    UNIT_EQUAL(m.offset, 16);
    UNIT_EQUAL(m.bytes, 4);
    CU_ASSERT(op_memory_read("symmetric heap:3:8", &m, NULL));
    UNIT_STRING(m.name, "symmetric heap");
    UNIT_EQUAL(m.bytes, 8);
    CU_ASSERT(op_memory_read("a:b:3:8:2", &m, NULL));
    UNIT_STRING(m.name, "a:b");
    CU_ASSERT(m.at_s == 0 && op_memory_read("a@b:3:8:2@3ms", &m, NULL));
    UNIT_STRING(m.name, "a@b");
    CU_ASSERT(m.bytes == 2 && m.at_s == 3e-3);
    static const char *const bad[] = {"",         "0",      "0:1",   ":1:2",     "0:1:2:0",
                                      "0:1:2:65", "0:-1:2", "0:x:2", "0:1:2:4@", "0:1:2@-1s"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        CU_ASSERT(!op_memory_read(bad[i], &m, &error));
        CU_ASSERT(error && strstr(error->message, "WINDOW:RANK:OFFSET"));
    }
}

UNIT_SUITE(op, UNIT_TEST(a_piece_of_a_segment_is_named_as_a_person_would),
           UNIT_TEST(packing_gathers_the_pieces_in_order_and_unpacking_puts_them_back),
           UNIT_TEST(totals_count_operations_bytes_latency_and_service_delay_by_kind),
           UNIT_TEST(equal_writers_have_one_number_and_it_tells_them_again),
           UNIT_TEST(writers_beyond_the_last_number_are_nobody_and_known_ones_stay_known),
           UNIT_TEST(a_million_stale_loads_of_a_site_and_a_writer_site_are_one_record),
           UNIT_TEST(notes_are_folded_by_kind_rank_site_and_writer),
           UNIT_TEST(violations_keep_their_own_message_and_the_same_one_again_is_counted),
           UNIT_TEST(segments_are_numbered_from_zero_and_keep_the_name_they_are_given))
