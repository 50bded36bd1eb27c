/* Runs the unit tests: all, or those whose suite or name is given. */
#include <CUnit/Automated.h>
#include <CUnit/Basic.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define UNIT(name) extern const struct unit_suite name##_suite;
#include "suites.def"
#undef UNIT

static const struct unit_suite *const suites[] = {
#define UNIT(name) &name##_suite,
#include "suites.def"
#undef UNIT
};

unsigned unit_sample(const char *what, unsigned few, unsigned all)
{
    if (getenv("POINTS")) return all;
#ifdef __SANITIZE_ADDRESS__
    few = (few + 1) / 2; /* which takes three times as long; the others run without */
#endif
    printf("a sample: %u of %u %s ", few, all, what);
    return few;
}

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void); /* gcc has the function, and no header */
size_t unit_heap(void) { return __sanitizer_get_current_allocated_bytes(); }
#else
size_t unit_heap(void) { return mallinfo2().uordblks; }
#endif

static int wanted(const char *suite, const char *test, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], suite) == 0 || strcmp(argv[i], test) == 0) return 1;
    return argc == 1;
}

int main(int argc, char **argv)
{
    CU_initialize_registry();
    int found = 0;
    for (size_t s = 0; s < sizeof suites / sizeof suites[0]; s++) {
        CU_pSuite suite = NULL;
        for (size_t t = 0; t < suites[s]->tests; t++) {
            const struct unit_test *test = &suites[s]->test[t];
            if (!wanted(suites[s]->name, test->name, argc, argv)) continue;
            if (!suite) suite = CU_add_suite(suites[s]->name, NULL, NULL);
            CU_add_test(suite, test->name, test->run);
            found++;
        }
    }
    if (!found) {
        fprintf(stderr, "no suite or test of that name; suites:");
        for (size_t s = 0; s < sizeof suites / sizeof suites[0]; s++)
            fprintf(stderr, " %s", suites[s]->name);
        fprintf(stderr, "\n");
        return 2;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed ? 1 : 0;
}
