/* What a call of the C library costs beside its accesses: the operations that library.def
 * estimates, one behind the other. */
#include "cpu/parts.h"

#include <string.h>

static const struct row {
    const char *name;
    uint32_t add, multiply, divide, sqrt, convert, integer;
} row[] = {
#define LIBRARY(name, add, multiply, divide, sqrt, convert, integer)                               \
    {name, add, multiply, divide, sqrt, convert, integer},
#include "cpu/library.def"
#undef LIBRARY
};

static uint32_t latency(const struct cpu *cpu, enum mach_class c)
{
    return (uint32_t)cpu->class[c].latency.cycles[MACH_USE_VALUE];
}

/* Of one operation, which the machine may lack. */
static uint32_t lowered(const struct cpu *cpu, enum cpu_lowering lowering, enum mach_class c)
{
    const struct mach_lower *lower = &cpu->lower[lowering];
    if (lower->cycles) return (uint32_t)lower->cycles;
    if (!lower->steps) return latency(cpu, c);
    uint32_t cycles = 0;
    for (int i = 0; i < lower->steps; i++) cycles += latency(cpu, lower->step[i]);
    return cycles;
}

static uint32_t cycles_of(const struct cpu *cpu, const struct row *r)
{
    return r->add * latency(cpu, MACH_FP_ADD) + r->multiply * latency(cpu, MACH_FP_MULTIPLY) +
           r->divide * latency(cpu, MACH_FP_DIVIDE) +
           r->sqrt * lowered(cpu, LOWER_SQRT, MACH_FP_SQRT) +
           r->convert * lowered(cpu, LOWER_FP_TO_INT, MACH_FP_TO_INT) +
           r->integer * latency(cpu, MACH_INT_ADD);
}

/* "sinf" is sin. */
static bool is_called(const char *name, const char *row_name)
{
    size_t length = strlen(row_name);
    return strncmp(name, row_name, length) == 0 &&
           (name[length] == '\0' || strcmp(name + length, "f") == 0);
}

uint32_t cpu_library_cycles(const struct cpu *cpu, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++)
        if (is_called(name, row[i].name)) return cycles_of(cpu, &row[i]);
    return 0;
}
