/* mem: predictors of targets, by how often each is wrong about targets in a known order. */
#include "mem_unit.h"

#include "mem/target/target.h"

struct targets {
    struct mem_branches branches;
    struct mem_targets predictor;
    uint32_t entry[MEM_TARGETS];
};

static uint32_t room = 1024;

static struct targets *open(const char *model, bool calls)
{
    struct targets *o = g_new0(struct targets, 1);
    mem_targets_init(&o->predictor, mem_target_find(model), room, calls, &o->branches);
    return o;
}
static void shut(struct targets *o)
{
    mem_targets_clear(&o->predictor);
    g_free(o);
}

/* As instrumented code: nobody is asked where the entry says that it goes there. */
static bool wrong(struct targets *o, uint32_t number, uint32_t to, bool call)
{
    if (o->entry[number] == to) return false;
    return o->predictor.model->wrong(&o->predictor, &o->entry[number],
                                     (struct mem_target){number, to, to, call});
}

/* It goes where a text says, round and round; of `rounds` rounds, from round `first` on. */
static uint32_t wrong_in(const char *model, const char *text, bool call, int rounds, int first)
{
    struct targets *o = open(model, !call);
    uint32_t times = 0;
    for (int round = 0; round < rounds; round++)
        for (const char *c = text; *c; c++)
            times += wrong(o, 7, (uint32_t)*c, call) && round >= first;
    shut(o);
    return times;
}

static void every_predictor_but_none_learns_one_target(void)
{
    size_t n;
    const struct mem_target_model *const *all = mem_target_all(&n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_PTR_EQUAL(mem_target_find(all[i]->name), all[i]);
        const bool none = strcmp(all[i]->name, "none") == 0;
        UNIT_EQUAL(wrong_in(all[i]->name, "a", false, 100, 1), none ? 99 : 0);
        UNIT_EQUAL(wrong_in(all[i]->name, "a", false, 100, 0), none ? 100 : 1);
    }
    CU_ASSERT_PTR_NULL(mem_target_find("nothing"));
}

static void the_last_target_is_wrong_wherever_it_changes(void)
{
    UNIT_EQUAL(wrong_in("last", "ab", false, 100, 1), 198);
    UNIT_EQUAL(wrong_in("last", "aaab", false, 100, 1), 198);
    UNIT_EQUAL(wrong_in("last", "aabbcc", false, 100, 1), 297);
}

static void a_history_of_targets_knows_what_comes_round_again(void)
{
    static const char *const texts[] = {"ab", "aaab", "abcdabdc", "adbcabaddcb", "aaaaaaaaaaaaaab"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        UNIT_EQUAL(wrong_in("history", texts[i], false, 400, 300), 0);
}

static void calls_that_are_no_part_of_the_past_go_where_they_went_last(void)
{
    UNIT_EQUAL(wrong_in("history", "ab", true, 100, 50), 100);
    UNIT_EQUAL(wrong_in("history", "a", true, 100, 50), 0);
}

static void a_history_has_room_for_as_many_targets_as_the_machine_says(void)
{
    struct base_random random = {3};
    enum { MANY = 4000 };
    g_autofree char *text = g_malloc0(MANY + 1);
    for (int i = 0; i < MANY; i++) text[i] = (char)('a' + (base_random_next(&random) >> 61));
    room = 512;
    CU_ASSERT(wrong_in("history", text, false, 20, 19) > MANY / 2);
    room = 16384;
    CU_ASSERT(wrong_in("history", text, false, 20, 19) < MANY / 8);
    room = 1024;
}

/* What has come once is asked the second time. */
static void a_history_asks_new_targets_where_they_come_again(void)
{
    struct base_random random = {3};
    enum { MANY = 1000 };
    g_autofree char *text = g_malloc0(MANY + 1);
    for (int i = 0; i < MANY; i++) text[i] = (char)('a' + (base_random_next(&random) >> 61));
    room = 16384;
    CU_ASSERT(wrong_in("history", text, false, 2, 1) < MANY / 3);
    room = 1024;
}

/* A branch that says where the jump behind it goes. */
static void a_history_of_outcomes_knows_targets(void)
{
    struct targets *o = g_new0(struct targets, 1);
    struct base_random random = {5};
    uint32_t times = 0;
    uint8_t entry = 0;
    mem_branches_init(&o->branches, mem_branch_find("history"), 8192);
    mem_targets_init(&o->predictor, mem_target_find("history"), room, true, &o->branches);
    for (int i = 0; i < 20000; i++) {
        const bool against = base_random_next(&random) >> 63;
        o->branches.model->wrong(&o->branches, &entry, (struct mem_branch){1, against, false});
        times += wrong(o, 2, against ? 5 : 6, true) && i >= 10000;
    }
    CU_ASSERT(times < 10000 / 20);
    mem_branches_clear(&o->branches);
    shut(o);
}

UNIT_SUITE(mem_target, UNIT_TEST(every_predictor_but_none_learns_one_target),
           UNIT_TEST(the_last_target_is_wrong_wherever_it_changes),
           UNIT_TEST(a_history_of_targets_knows_what_comes_round_again),
           UNIT_TEST(calls_that_are_no_part_of_the_past_go_where_they_went_last),
           UNIT_TEST(a_history_has_room_for_as_many_targets_as_the_machine_says),
           UNIT_TEST(a_history_asks_new_targets_where_they_come_again),
           UNIT_TEST(a_history_of_outcomes_knows_targets))
