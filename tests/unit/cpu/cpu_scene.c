/* See cpu_scene.h. */
#include "cpu/cpu_scene.h"

#include "unit.h"

#include <math.h>

static void free_object(void *object) { cpu_object_free(object); }

struct scene scene_open(const char *machine, const char *sets, const char *text)
{
    struct scene s = {0};
    GError *error = NULL;
    g_auto(GStrv) set = g_strsplit(sets ? sets : "", " ", -1);
    if (!mach_load(machine, (const char *const *)set, 0, &s.mach, &error))
        fprintf(stderr, "    %s\n", error->message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s.mach);
    s.cpu = cpu_new(s.mach);
    s.objects = g_ptr_array_new_with_free_func(free_object);
    g_autoptr(GByteArray) bytes = cpu_made(text, 1);
    if (!cpu_read(bytes->data, bytes->len, "made", s.objects, &error))
        fprintf(stderr, "    %s\n", error->message);
    CU_ASSERT_FATAL(s.objects->len == 1);
    s.object = g_ptr_array_index(s.objects, 0);
    s.price = g_new0(struct cpu_price, s.object->blocks + 1);
    s.timing = g_new0(struct cpu_timing, s.object->op->len + 1);
    cpu_price(s.cpu, s.object, s.price, s.timing);
    return s;
}

void scene_close(struct scene *s)
{
    g_free(s->price);
    g_free(s->timing);
    g_ptr_array_unref(s->objects);
    cpu_free(s->cpu);
    mach_free(s->mach);
}

double scene_cycles(const char *machine, const char *sets, const char *text, uint32_t block)
{
    struct scene s = scene_open(machine, sets, text);
    double cycles = (double)s.price[block].ticks / CPU_TICKS;
    scene_close(&s);
    return round(cycles * 1000) / 1000;
}
