/* mem: branch predictors, by how often each is wrong about outcomes in a known order. */
#include "mem_unit.h"

#include "mem/branch/branch.h"
#include "mem/branch/history.h"

/* A branch that goes where a text says, round and round: '1' is against a static guess. */
struct outcomes {
    struct mem_branches predictor;
    uint8_t entry[MEM_BRANCHES];
};

static uint32_t room = 8192;

static void open(struct outcomes *o, const char *model)
{
    *o = (struct outcomes){.entry = {0}};
    mem_branches_init(&o->predictor, mem_branch_find(model), room);
}

/* As instrumented code: nobody is asked where the entry says that nothing changes. */
static bool wrong(struct outcomes *o, uint32_t number, bool against, bool backward)
{
    uint8_t *entry = &o->entry[number];
    if (*entry == mem_branch_quiet(against)) return false;
    return o->predictor.model->wrong(&o->predictor, entry,
                                     (struct mem_branch){number, against, backward});
}

/* Of `rounds` rounds, from round `first` on. */
static uint32_t wrong_in(const char *model, const char *text, bool backward, int rounds, int first)
{
    struct outcomes *o = g_new(struct outcomes, 1);
    uint32_t times = 0;
    open(o, model);
    for (int round = 0; round < rounds; round++)
        for (const char *c = text; *c; c++)
            times += wrong(o, 7, *c == '1', backward) && round >= first;
    mem_branches_clear(&o->predictor);
    g_free(o);
    return times;
}

static void every_predictor_but_none_learns_a_branch_that_goes_one_way(void)
{
    size_t n;
    const struct mem_branch_model *const *all = mem_branch_all(&n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(mem_branch_find(all[i]->name), all[i]);
        if (strcmp(all[i]->name, "none") == 0) continue;
        UNIT_EQUAL(wrong_in(all[i]->name, "0", false, 100, 0), 0);
        bool learns = strcmp(all[i]->name, "static") != 0;
        if (learns) UNIT_EQUAL(wrong_in(all[i]->name, "1", true, 100, 3), 0);
    }
    CU_ASSERT_PTR_NULL(mem_branch_find("nothing"));
}

static void simple_predictors_are_wrong_as_often_as_their_rule_says(void)
{
    static const struct {
        const char *model, *outcomes;
        bool backward;
        uint32_t wrong; /* in 100 rounds */
    } row[] = {
        {"none", "0", false, 0},
        {"none", "1", false, 100},
        {"none", "0", true, 100},
        {"none", "1", true, 0},
        {"static", "0001", true, 100},
        {"static", "1110", false, 300},
        {"one_bit", "0001", true, 199},
        {"one_bit", "01", true, 199},
        {"two_bit", "0001", true, 100},
        {"two_bit", "0011", true, 2 + 99 * 3},
        {"two_bit", "1110", false, 3 + 99},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++)
        UNIT_EQUAL(wrong_in(row[i].model, row[i].outcomes, row[i].backward, 100, 0), row[i].wrong);
}

static void a_history_knows_what_comes_round_again(void)
{
    static const char *const texts[] = {"01", "0001", "00000001", "011010011", "0010111011000101"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        UNIT_EQUAL(wrong_in("history", texts[i], false, 400, 300), 0);
}

/* Whatever they are: 4,000 of them, as the cells of a board of 64 by 64. */
static void a_history_knows_thousands_of_outcomes_that_come_again(void)
{
    struct base_random random = {3};
    g_autofree char *text = g_malloc0(4001);
    for (int i = 0; i < 4000; i++) text[i] = (char)('0' + (base_random_next(&random) >> 63));
    CU_ASSERT(wrong_in("history", text, false, 20, 19) < 400);
}

/* Half of the outcomes would be wrong without. What has come once is asked the second time. */
static void a_history_asks_new_entries_where_outcomes_come_again(void)
{
    struct base_random random = {3};
    g_autofree char *text = g_malloc0(4001);
    for (int i = 0; i < 4000; i++) text[i] = (char)('0' + (base_random_next(&random) >> 63));
    room = 65536;
    const uint32_t first = wrong_in("history", text, false, 1, 0);
    CU_ASSERT(wrong_in("history", text, false, 2, 0) - first < first / 2);
    room = 8192;
}

/* Chains of a hash table of 10,000 keys, looked up in one order: is it the key, and does the chain
 * go on? */
static void pasts_that_meet_in_a_table_do_not_put_each_other_out_for_ever(void)
{
    enum { KEYS = 10000, MOST = 64 };
    struct base_random random = {3};
    struct outcomes *o = g_new(struct outcomes, 1);
    g_autofree char *text = g_malloc(KEYS * (MOST + 1));
    uint32_t first = 0, last = 0;
    char *end = text;
    for (int i = 0; i < KEYS; i++) { /* as many 2s as it goes on; 1: the key is not found yet */
        const uint64_t drawn = base_random_next(&random);
        for (uint64_t left = drawn; left & 1; left >>= 1) *end++ = (char)(1 + (left >> 32 & 1));
        *end++ = 0;
    }
    room = 65536;
    open(o, "history");
    for (int round = 0; round < 40; round++)
        for (const char *c = text; c < end; c++) {
            const bool is = wrong(o, 1, *c == 0, false) + (*c && wrong(o, 2, *c == 1, false));
            first += is && round == 0;
            last += is && round == 39;
        }
    CU_ASSERT(first > KEYS && last < first / 50);
    room = 8192;
    mem_branches_clear(&o->predictor);
    g_free(o);
}

/* Half of the outcomes would be wrong without. */
static void a_history_has_room_for_as_many_outcomes_as_the_machine_says(void)
{
    struct base_random random = {3};
    enum { MANY = 16000 };
    g_autofree char *text = g_malloc0(MANY + 1);
    for (int i = 0; i < MANY; i++) text[i] = (char)('0' + (base_random_next(&random) >> 63));
    room = 2048;
    CU_ASSERT(wrong_in("history", text, false, 20, 19) > MANY / 3);
    room = 32768;
    CU_ASSERT(wrong_in("history", text, false, 20, 19) < MANY / 8);
    room = 8192;
}

/* As lookups in a tree, 8 to 15 rounds each: 48 outcomes are those of four, which come again
 * elsewhere. */
static void a_history_knows_how_often_a_loop_goes_round_where_thousands_come_again(void)
{
    enum { LOOPS = 2000, MOST = 16 };
    struct base_random random = {3};
    g_autofree char *text = g_malloc0(LOOPS * MOST + 1);
    char *end = text;
    for (int loop = 0; loop < LOOPS; loop++) {
        for (uint64_t k = 8 + (base_random_next(&random) >> 61); k > 0; k--) *end++ = '0';
        *end++ = '1';
    }
    room = 65536;
    CU_ASSERT(wrong_in("history", text, true, 20, 19) < LOOPS / 8);
    room = 8192;
}

static void what_is_random_is_predicted_by_nobody(void)
{
    struct base_random random = {3};
    g_autofree char *text = g_malloc0(40001);
    for (int i = 0; i < 40000; i++) text[i] = (char)('0' + (base_random_next(&random) >> 63));
    size_t n;
    const struct mem_branch_model *const *all = mem_branch_all(&n);
    for (size_t i = 0; i < n; i++) {
        uint32_t wrong = wrong_in(all[i]->name, text, false, 1, 0);
        CU_ASSERT(wrong > 19000 && wrong < 21000);
    }
}

static void a_rare_outcome_costs_a_history_about_once_each_time(void)
{
    struct base_random random = {3};
    g_autofree char *text = g_malloc0(40001);
    int rare = 0;
    for (int i = 0; i < 40000; i++) {
        bool is = base_random_next(&random) % 50 == 0;
        text[i] = is ? '1' : '0';
        rare += is;
    }
    uint32_t wrong = wrong_in("history", text, false, 1, 0);
    CU_ASSERT(wrong > 0.9 * rare && wrong < 1.4 * rare);
}

static void a_history_sees_a_branch_that_repeats_the_one_before(void)
{
    struct outcomes *o = g_new(struct outcomes, 1);
    struct base_random random = {5};
    uint32_t times = 0;
    open(o, "history");
    for (int i = 0; i < 20000; i++) {
        bool against = base_random_next(&random) >> 63;
        wrong(o, 1, against, false);
        times += wrong(o, 2, against, false) && i >= 10000;
    }
    CU_ASSERT(times < 10000 / 20);
    mem_branches_clear(&o->predictor);
    g_free(o);
}

/* Of "01101...": how many overlap. */
static uint32_t pairs(struct mem_branch_ways ways, const char *outcomes)
{
    int8_t alone = 0;
    uint32_t n = 0;
    for (; *outcomes; outcomes++) n += mem_branch_pairs(&alone, ways, *outcomes == '1');
    return n;
}

static void executions_of_two_ways_overlap_as_often_as_the_rarer_comes(void)
{
    const struct mem_branch_ways one = {.gives = 1, .window = 16};
    const struct mem_branch_ways three = {.gives = 3, .window = 16, .against = 1};
    UNIT_EQUAL(pairs(one, "00000000"), 0);
    UNIT_EQUAL(pairs(one, "01010101"), 4);
    UNIT_EQUAL(pairs(one, "00001111"), 4);
    UNIT_EQUAL(pairs(one, "00010000"), 1);
    UNIT_EQUAL(pairs(three, "00010000"), 3);
    UNIT_EQUAL(pairs(three, "10000000"), 3);
    UNIT_EQUAL(pairs(three, "11111111"), 0);
}

static void executions_overlap_no_further_than_the_window_goes(void)
{
    const struct mem_branch_ways ways = {.gives = 1, .window = 4};
    UNIT_EQUAL(pairs(ways, "0000000011111111"), 4);
    UNIT_EQUAL(pairs(ways, "1111111100000000"), 4);
}

/* Random outcomes of a few branches. */
static void what_follows_an_entry_is_in_a_table_of_predictors_without_a_history(void)
{
    size_t n, with = 0;
    const struct mem_branch_model *const *all = mem_branch_all(&n);
    for (size_t i = 0; i < n; i++) {
        struct outcomes *o = g_new(struct outcomes, 1);
        struct base_random random = {7};
        uint8_t by_table[16] = {0};
        open(o, all[i]->name);
        with += o->predictor.steps != NULL;
        for (int k = 0; k < 10000 && o->predictor.steps; k++) {
            const uint64_t drawn = base_random_next(&random);
            const uint32_t number = drawn >> 60;
            const bool against = drawn >> 40 & 1, backward = number & 1;
            uint8_t *entry = &o->entry[number];
            const uint16_t step = o->predictor.steps->step[backward][against][by_table[number]];
            by_table[number] = (uint8_t)step;
            const bool is = o->predictor.model->wrong(
                &o->predictor, entry, (struct mem_branch){number, against, backward});
            if (is != (step >= MEM_BRANCH_WRONG) || *entry != by_table[number])
                CU_FAIL("the table says otherwise");
        }
        mem_branches_clear(&o->predictor);
        g_free(o);
    }
    UNIT_EQUAL(with, n - 1); /* all but the one with a history */
}

UNIT_SUITE(mem_branch, UNIT_TEST(every_predictor_but_none_learns_a_branch_that_goes_one_way),
           UNIT_TEST(simple_predictors_are_wrong_as_often_as_their_rule_says),
           UNIT_TEST(a_history_knows_what_comes_round_again),
           UNIT_TEST(a_history_knows_thousands_of_outcomes_that_come_again),
           UNIT_TEST(a_history_asks_new_entries_where_outcomes_come_again),
           UNIT_TEST(pasts_that_meet_in_a_table_do_not_put_each_other_out_for_ever),
           UNIT_TEST(a_history_has_room_for_as_many_outcomes_as_the_machine_says),
           UNIT_TEST(a_history_knows_how_often_a_loop_goes_round_where_thousands_come_again),
           UNIT_TEST(what_is_random_is_predicted_by_nobody),
           UNIT_TEST(a_rare_outcome_costs_a_history_about_once_each_time),
           UNIT_TEST(a_history_sees_a_branch_that_repeats_the_one_before),
           UNIT_TEST(executions_of_two_ways_overlap_as_often_as_the_rarer_comes),
           UNIT_TEST(executions_overlap_no_further_than_the_window_goes),
           UNIT_TEST(what_follows_an_entry_is_in_a_table_of_predictors_without_a_history))
