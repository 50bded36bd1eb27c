/* Accesses that need not be told, since one like them has been. */
#include "check/history.h"

/* The program's access, told if it must be. */
static enum check_again access_at(int rank, const char *addr, enum check_kind kind, uintptr_t pc)
{
    const uintptr_t at = (uintptr_t)addr;
    const enum check_again again = check_again(rank, at, 8, kind == CHECK_STORE, pc);
    if (again == CHECK_TELL) {
        check_access(rank, at, 8, kind, NULL, pc, 0);
        check_again_at(rank, at, kind, pc, pc);
    }
    return again;
}
static enum check_again stores(int rank, int word, uintptr_t pc)
{
    return access_at(rank, memory[rank] + 8 * word, CHECK_STORE, pc);
}

static void a_store_like_one_before_need_not_be_told_and_is_counted(void)
{
    begin();
    UNIT_EQUAL(stores(2, 0, at_a), CHECK_TELL);
    const uint64_t one = check_totals().accesses;
    for (int i = 0; i < 3; i++) UNIT_EQUAL(stores(2, 0, at_a), CHECK_SEEN);
    UNIT_EQUAL(check_totals().accesses, one + 3);
    check_close();
}

static void of_other_bytes_or_at_another_place_it_must(void)
{
    begin();
    stores(2, 0, at_a), stores(2, 0, at_a);
    UNIT_EQUAL(stores(2, 1, at_a), CHECK_TELL);
    UNIT_EQUAL(stores(2, 0, at_b), CHECK_TELL);
    UNIT_EQUAL(stores(1, 0, at_a), CHECK_TELL);
    UNIT_EQUAL(stores(2, 0, at_a), CHECK_SEEN);
    check_close();
}

static void behind_a_call_of_the_rank_s_it_is_another_and_conflicts_again(void)
{
    begin();
    lock(2, 2, true), stores(2, 0, at_a), stores(2, 0, at_a);
    UNIT_EQUAL(stores(2, 0, at_a), CHECK_SEEN);
    unlock(2, 2);
    UNIT_EQUAL(stores(2, 0, at_a), CHECK_TELL);
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_b), unlock(0, 2);
    expect(1, 1);
}

static void a_call_of_another_s_changes_nothing(void)
{
    begin();
    stores(2, 0, at_a), stores(2, 0, at_a);
    lock(0, 3, true), operate(CHECK_PUT, 0, 3, at_b), unlock(0, 3);
    UNIT_EQUAL(stores(2, 0, at_a), CHECK_SEEN);
    check_close();
}

static void memory_that_nobody_has_is_free_until_an_operation_has_it(void)
{
    begin();
    UNIT_EQUAL(access_at(0, own[0], CHECK_STORE, at_b), CHECK_FREE);
    UNIT_EQUAL(access_at(0, own[0], CHECK_STORE, at_b), CHECK_FREE);
    lock(0, 2, true), operate(CHECK_PUT, 0, 2, at_a);
    UNIT_EQUAL(access_at(0, own[0], CHECK_STORE, at_b), CHECK_TELL);
    unlock(0, 2);
    expect(1, 0);
}

/* What a put wrote there orders who loads it, behind MPI_Win_sync. */
static void where_a_value_has_come_that_carries_order_it_must(void)
{
    static const uint8_t value[8];
    begin();
    lock(0, 2, false);
    for (int i = 0; i < 3; i++) access_at(2, memory[2], CHECK_LOAD, at_a);
    UNIT_EQUAL(access_at(2, memory[2], CHECK_LOAD, at_a), CHECK_SEEN);
    const uint64_t put = operate(CHECK_PUT, 0, 2, at_b);
    check_performed(put), check_carried(put, value, sizeof value);
    UNIT_EQUAL(access_at(2, memory[2], CHECK_LOAD, at_a), CHECK_TELL);
    unlock(0, 2);
    check_close();
}

/* A place where a test has left its flag. */
static void while_the_rank_has_something_to_look_at_it_must(void)
{
    static _Alignas(4096) char flag[8];
    begin();
    UNIT_EQUAL(access_at(1, flag, CHECK_LOAD, at_a), CHECK_FREE);
    check_test(1), check_tested(1);
    check_watch(1, (uintptr_t)flag, sizeof flag);
    UNIT_EQUAL(access_at(0, flag, CHECK_LOAD, at_a), CHECK_FREE);
    UNIT_EQUAL(access_at(1, flag, CHECK_LOAD, at_a), CHECK_TELL);
    UNIT_EQUAL(access_at(1, flag, CHECK_LOAD, at_a), CHECK_FREE);
    check_close();
}

UNIT_SUITE(check_again, UNIT_TEST(a_store_like_one_before_need_not_be_told_and_is_counted),
           UNIT_TEST(of_other_bytes_or_at_another_place_it_must),
           UNIT_TEST(behind_a_call_of_the_rank_s_it_is_another_and_conflicts_again),
           UNIT_TEST(a_call_of_another_s_changes_nothing),
           UNIT_TEST(memory_that_nobody_has_is_free_until_an_operation_has_it),
           UNIT_TEST(where_a_value_has_come_that_carries_order_it_must),
           UNIT_TEST(while_the_rank_has_something_to_look_at_it_must))
