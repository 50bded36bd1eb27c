/* Block descriptions: what is read back, and what is refused. */
#include "cpu/cpu_scene.h"
#include "unit.h"

static const char dot[] = "function dot\n"
                          "block loop -> 0 9900 1 100\n"
                          "phi f8 <5 _\n"
                          "phi i8 <6 _\n"
                          "@7 load f8 scaled _ .1\n"
                          "load f8 scaled _ .1\n"
                          "fp_multiply f8 .2 .3\n"
                          "@8 fp_add f8 live .0 .4\n"
                          "add i8 .1 #2\n"
                          "compare i4 .6 _\n"
                          "branch i4 .7\n"
                          "block\n"
                          "call f8 =sin 0.5\n";

static void free_object(void *object) { cpu_object_free(object); }

static bool reads(const unsigned char *bytes, size_t length, GPtrArray *objects)
{
    GError *error = NULL;
    bool ok = cpu_read(bytes, length, "made", objects, &error);
    CU_ASSERT(ok == (error == NULL));
    g_clear_error(&error);
    return ok;
}

static void a_description_reads_back_as_it_was_written(void)
{
    struct scene s = scene_open("t3d", NULL, dot);
    UNIT_EQUAL(s.object->blocks, 2);
    UNIT_EQUAL(s.object->compiler, 120200);
    UNIT_EQUAL(s.object->op->len, 10);
    const struct cpu_function *f = &g_array_index(s.object->function, struct cpu_function, 0);
    UNIT_STRING(f->name, "dot");
    UNIT_STRING(g_ptr_array_index(s.object->file, f->file), "made.c");
    const struct cpu_op *load = &g_array_index(s.object->op, struct cpu_op, 2);
    UNIT_EQUAL(load->class, BLOCK_LOAD);
    UNIT_EQUAL(load->form, BLOCK_SCALED);
    UNIT_EQUAL(load->bytes, 8);
    UNIT_EQUAL(load->line, 7);
    const struct cpu_op *add = &g_array_index(s.object->op, struct cpu_op, 5);
    UNIT_EQUAL(add->line, 8);
    UNIT_EQUAL(add->flags, BLOCK_LIVE);
    const struct cpu_op *call = &g_array_index(s.object->op, struct cpu_op, 9);
    UNIT_STRING(call->callee, "sin");
    const struct cpu_operand *o =
        &g_array_index(s.object->operand, struct cpu_operand, call->first_operand);
    UNIT_EQUAL(o->where, BLOCK_THERE);
    UNIT_EQUAL(o->block, 0);
    UNIT_EQUAL(o->k, 5);
    scene_close(&s);
}

static void records_may_follow_each_other_with_zeros_between(void)
{
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);
    g_autoptr(GByteArray) a = cpu_made(dot, 11), b = cpu_made(dot, 22);
    static const guint8 zeros[16];
    g_byte_array_append(a, zeros, 16);
    g_byte_array_append(a, b->data, b->len);
    CU_ASSERT_TRUE(reads(a->data, a->len, objects));
    UNIT_EQUAL(objects->len, 2);
    UNIT_EQUAL(((struct cpu_object *)g_ptr_array_index(objects, 0))->identity, 11);
    UNIT_EQUAL(((struct cpu_object *)g_ptr_array_index(objects, 1))->identity, 22);
}

static void another_version_is_refused_by_name(void)
{
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);
    g_autoptr(GByteArray) a = cpu_made(dot, 1);
    GError *error = NULL;
    a->data[8]++;
    CU_ASSERT_FALSE(cpu_read(a->data, a->len, "old.o", objects, &error));
    UNIT_STRING(error->message, "old.o: section .sidewinder.blocks, byte 0: a description of "
                                "another version; compile it again");
    g_clear_error(&error);
}

static void a_record_cut_off_anywhere_is_refused(void)
{
    g_autoptr(GByteArray) a = cpu_made(dot, 1);
    for (size_t length = 1; length < a->len; length++) {
        g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);
        g_autofree unsigned char *copy = g_memdup2(a->data, length);
        CU_ASSERT_FALSE(reads(copy, length, objects));
    }
}

/* Whatever is read has valid indices: it can be priced. */
static void no_byte_changed_breaks_the_reader_or_the_pricer(void)
{
    struct base_random random = {7};
    struct mach *m = NULL;
    CU_ASSERT_TRUE_FATAL(mach_load("rdma", NULL, 0, &m, NULL));
    struct cpu *cpu = cpu_new(m);
    for (unsigned i = 0, n = unit_sample("changed descriptions", 2000, 3000); i < n; i++) {
        g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);
        g_autoptr(GByteArray) a = cpu_made(dot, 1);
        for (int change = 0; change < 3; change++)
            a->data[BLOCK_HEAD + base_random_next(&random) % (a->len - BLOCK_HEAD)] =
                (guint8)base_random_next(&random);
        if (!reads(a->data, a->len, objects)) continue;
        struct cpu_object *object = g_ptr_array_index(objects, 0);
        g_autofree struct cpu_price *price = g_new0(struct cpu_price, object->blocks + 1);
        g_autofree struct cpu_timing *timing = g_new0(struct cpu_timing, object->op->len + 1);
        cpu_price(cpu, object, price, timing);
    }
    cpu_free(cpu);
    mach_free(m);
}

/* ---- one function at a time ------------------------------------------------------------------ */

static const char several[] = "function first\n"
                              "block -> 1 10000\n"
                              "add i8 _ _\n"
                              "block loop -> 1 9000 2 1000\n"
                              "phi f8 <3 _\n"
                              "phi i8 <4 _\n"
                              "load f8 scaled _ .1\n"
                              "fp_add f8 live .0 .2\n"
                              "add i8 .1 #2\n"
                              "branch i4 .4\n"
                              "block\n"
                              "call f8 =second 1.3\n"
                              "function second\n"
                              "block -> 4 2000 5 8000\n"
                              "load i4 base _\n"
                              "compare i4 .0 _\n"
                              "branch i4 predicted .1\n"
                              "block -> 5 10000\n"
                              "divide i4 3.0 _\n"
                              "block\n"
                              "return i4\n"
                              "function third\n"
                              "block -> 7 10000\n"
                              "load i8 base _\n"
                              "block loop -> 7 9900 8 100\n"
                              "phi i8 <1 6.0\n"
                              "load i8 base .0\n"
                              "branch i8 .1\n"
                              "block\n"
                              "return i4\n";

static struct cpu_records *records_of(const char *text, size_t length)
{
    g_autoptr(GByteArray) bytes = cpu_made(text, 5);
    GPtrArray *sections = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_ptr_array_add(sections, g_bytes_new(bytes->data, MIN(length, bytes->len)));
    return cpu_records_of(sections, "made");
}

static bool same_after(uint32_t alone, uint32_t whole, uint32_t ops)
{
    return alone >= CPU_AFTER_YOUNGEST ? alone == whole : alone + ops == whole;
}

/* Of the function that begins with so many blocks and operations before it. */
static void compare(const struct scene *s, const struct cpu_object *alone, uint32_t blocks,
                    uint32_t ops)
{
    g_autofree struct cpu_price *price = g_new0(struct cpu_price, alone->blocks + 1);
    g_autofree struct cpu_timing *timing = g_new0(struct cpu_timing, alone->op->len + 1);
    cpu_price(s->cpu, alone, price, timing);
    for (uint32_t b = 0; b < alone->blocks; b++) {
        const struct cpu_price *whole = &s->price[blocks + b];
        UNIT_EQUAL(price[b].ticks, whole->ticks);
        UNIT_EQUAL(price[b].lost, whole->lost);
        UNIT_EQUAL(price[b].bound, whole->bound);
        UNIT_EQUAL(price[b].overlap.most, whole->overlap.most);
        UNIT_EQUAL(price[b].ways.saved, whole->ways.saved);
        UNIT_EQUAL(price[b].follows, whole->follows ? whole->follows - blocks : 0);
    }
    for (uint32_t i = 0; i < alone->op->len; i++) {
        const struct cpu_timing *whole = &s->timing[ops + i];
        UNIT_EQUAL(timing[i].issue, whole->issue);
        UNIT_EQUAL(timing[i].slack, whole->slack);
        UNIT_EQUAL(timing[i].steps, whole->steps);
        CU_ASSERT_TRUE(same_after(timing[i].after, whole->after, ops));
        CU_ASSERT_TRUE(same_after(timing[i].beside, whole->beside, ops));
    }
}

/* Each read once, and then again from the last one to the first. */
static void a_function_alone_costs_what_it_costs_in_its_object(const char *machine)
{
    enum { FUNCTIONS = 3 };
    struct scene s = scene_open(machine, NULL, several);
    struct cpu_records *records = records_of(several, SIZE_MAX);
    struct cpu_records_place place, at[FUNCTIONS];
    uint32_t blocks[FUNCTIONS + 1] = {0}, ops[FUNCTIONS + 1] = {0}, n = 0;
    const struct cpu_object *alone;
    while (n < FUNCTIONS && (alone = cpu_records_next(records, &place, NULL))) {
        at[n++] = place;
        blocks[n] = blocks[n - 1] + alone->blocks;
        ops[n] = ops[n - 1] + alone->op->len;
    }
    UNIT_EQUAL(n, FUNCTIONS);
    UNIT_EQUAL(blocks[n], s.object->blocks);
    CU_ASSERT_PTR_NULL(cpu_records_next(records, &place, NULL));
    CU_ASSERT_TRUE(cpu_records_describe(records, "second"));
    CU_ASSERT_FALSE(cpu_records_describe(records, "sin"));
    while (n-- > 0) compare(&s, cpu_records_again(records, at[n]), blocks[n], ops[n]);
    cpu_records_free(records);
    scene_close(&s);
}
static void a_function_alone_costs_the_same_in_order(void)
{
    a_function_alone_costs_what_it_costs_in_its_object("t3d");
}
static void a_function_alone_costs_the_same_out_of_order(void)
{
    a_function_alone_costs_what_it_costs_in_its_object("rdma");
}

static void what_is_wrong_with_the_last_function_is_found_before_one_is_priced(void)
{
    g_autoptr(GByteArray) whole = cpu_made(several, 5);
    for (size_t length = 1; length < whole->len; length++) {
        struct cpu_records *records = records_of(several, length);
        struct cpu_records_place place;
        GError *error = NULL;
        while (cpu_records_next(records, &place, &error)) continue;
        CU_ASSERT_PTR_NOT_NULL(error);
        g_clear_error(&error);
        cpu_records_free(records);
    }
}

UNIT_SUITE(cpu_read, UNIT_TEST(a_description_reads_back_as_it_was_written),
           UNIT_TEST(records_may_follow_each_other_with_zeros_between),
           UNIT_TEST(another_version_is_refused_by_name),
           UNIT_TEST(a_record_cut_off_anywhere_is_refused),
           UNIT_TEST(a_function_alone_costs_the_same_in_order),
           UNIT_TEST(a_function_alone_costs_the_same_out_of_order),
           UNIT_TEST(what_is_wrong_with_the_last_function_is_found_before_one_is_priced),
           UNIT_TEST(no_byte_changed_breaks_the_reader_or_the_pricer))
