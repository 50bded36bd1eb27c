/* The unit tests' harness: a file tests/unit/ROOM/NAME_test.c ends in UNIT_SUITE(NAME,
 * UNIT_TEST(...),
 * ...) and has a line in suites.def. Tests are functions whose names are sentences. */
#ifndef UNIT_H
#define UNIT_H

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

struct unit_test {
    const char *name;
    void (*run)(void);
};
struct unit_suite {
    const char *name;
    const struct unit_test *test;
    size_t tests;
};

#define UNIT_TEST(function) {#function, function}
#define UNIT_SUITE(suite, ...)                                                                     \
    static const struct unit_test suite##_tests[] = {__VA_ARGS__};                                 \
    const struct unit_suite suite##_suite = {#suite, suite##_tests,                                \
                                             sizeof suite##_tests / sizeof suite##_tests[0]};

/* How many of them: `few` in the short run (half of them under sanitizers), which is said, and all
 * of them in the long one (./bootstrap test --all sets POINTS). */
unsigned unit_sample(const char *what, unsigned few, unsigned all);

/* Bytes that the heap has given out, under a sanitizer its own. */
size_t unit_heap(void);

/* Asserts that print what was expected and what was obtained. */
#define UNIT_EQUAL(obtained, expected)                                                             \
    do {                                                                                           \
        long long unit_o = (long long)(obtained), unit_e = (long long)(expected);                  \
        if (unit_o != unit_e)                                                                      \
            fprintf(stderr, "    %s:%d: %s: expected %lld, obtained %lld\n", __FILE__, __LINE__,   \
                    #obtained, unit_e, unit_o);                                                    \
        CU_ASSERT_EQUAL(unit_o, unit_e);                                                           \
    } while (0)
#define UNIT_NEAR(obtained, expected, tolerance)                                                   \
    do {                                                                                           \
        double unit_o = (obtained), unit_e = (expected);                                           \
        if (!(unit_o - unit_e <= (tolerance) && unit_e - unit_o <= (tolerance)))                   \
            fprintf(stderr, "    %s:%d: %s: expected %.17g, obtained %.17g\n", __FILE__, __LINE__, \
                    #obtained, unit_e, unit_o);                                                    \
        CU_ASSERT_DOUBLE_EQUAL(unit_o, unit_e, tolerance);                                         \
    } while (0)
#define UNIT_STRING(obtained, expected)                                                            \
    do {                                                                                           \
        const char *unit_o = (obtained), *unit_e = (expected);                                     \
        int unit_same = unit_o && unit_e ? strcmp(unit_o, unit_e) == 0 : unit_o == unit_e;         \
        if (!unit_same)                                                                            \
            fprintf(stderr, "    %s:%d: %s:\n        expected \"%s\"\n        obtained \"%s\"\n",  \
                    __FILE__, __LINE__, #obtained, unit_e ? unit_e : "(NULL)",                     \
                    unit_o ? unit_o : "(NULL)");                                                   \
        CU_ASSERT_TRUE(unit_same);                                                                 \
    } while (0)

#endif
