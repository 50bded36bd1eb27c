#include "unit.h"
#include "base/copies/copies.h"

static void a_copy_is_of_its_file_and_other_paths_of_none(void)
{
    base_copies_add("/run/000000.so", "/home/liba.so");
    UNIT_STRING(base_copies_file("/run/000000.so"), "/home/liba.so");
    UNIT_STRING(base_copies_file("/lib/libc.so.6"), "/lib/libc.so.6");
    CU_ASSERT_PTR_NULL(base_copies_file(NULL));
}

static void code_of_any_copy_has_the_place_of_the_first(void)
{
    base_copies_add("/run/000001.so", "/home/libb.so");
    base_copies_add("/run/000002.so", "/home/libb.so");
    base_copies_add("/run/000003.so", "/home/libb.so");
    base_copies_loaded("/run/000001.so", 0x5000, 0x6000);
    base_copies_loaded("/run/000003.so", 0x9000, 0xa000);
    base_copies_loaded("/run/000002.so", 0x1000, 0x2000);
    UNIT_EQUAL(base_copies_place(0x5123), 0x5123);
    UNIT_EQUAL(base_copies_place(0x9123), 0x5123);
    UNIT_EQUAL(base_copies_place(0x1fff), 0x5fff);
}

static void what_lies_outside_of_copies_keeps_its_address(void)
{
    base_copies_loaded("/lib/libc.so.6", 0x20000, 0x30000);
    UNIT_EQUAL(base_copies_place(0xfff), 0xfff);
    UNIT_EQUAL(base_copies_place(0x2000), 0x2000);
    UNIT_EQUAL(base_copies_place(0xa000), 0xa000);
    UNIT_EQUAL(base_copies_place(0x20010), 0x20010);
}

static void what_was_unloaded_leaves_its_place_to_others(void)
{
    base_copies_add("/run/000004.so", "/home/libc.so");
    base_copies_loaded("/run/000004.so", 0x9800, 0xb000); /* where a copy of b had been */
    UNIT_EQUAL(base_copies_place(0x9900), 0x9900);
    UNIT_EQUAL(base_copies_place(0x9100), 0x9100);
}

static void only_what_sidewinder_cc_has_linked_has_copies(void)
{
    CU_ASSERT_FALSE(base_copies_wanted("/proc/self/exe"));
    CU_ASSERT_FALSE(base_copies_wanted("/etc/passwd"));
    CU_ASSERT_FALSE(base_copies_wanted("/nowhere"));
}

UNIT_SUITE(copies, UNIT_TEST(a_copy_is_of_its_file_and_other_paths_of_none),
           UNIT_TEST(code_of_any_copy_has_the_place_of_the_first),
           UNIT_TEST(what_lies_outside_of_copies_keeps_its_address),
           UNIT_TEST(what_was_unloaded_leaves_its_place_to_others),
           UNIT_TEST(only_what_sidewinder_cc_has_linked_has_copies))
