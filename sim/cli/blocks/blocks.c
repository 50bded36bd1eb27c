/* sidewinder blocks: what the basic blocks of a program cost on a machine, and what bounds them. */
#include "cli/blocks/blocks.h"

#include "cli/blocks/name.h"
#include "cli/common/common.h"
#include "cli/common/options.h"
#include "cpu/cpu.h"
#include "mach/mach.h"

#include <stdio.h>
#include <string.h>

static const char explanation[] =
    "Shows the basic blocks of PROGRAM, an object file too, or of one function of it, as the "
    "machine's pipeline (cpu.*)\n"
    "executes them. For each: the cycles of one execution with every load in the first-level "
    "cache, what bounds them,\nand the operations with their source lines.\n"
    "\n"
    "Of a loop the cycles are those of an iteration once it repeats itself. A block of a loop "
    "of several, or of\n"
    "a straight path, costs what it adds to that path. Bounds are those of the whole path:\n"
    "  issue   operations over cpu.issue\n"
    "  port    operations over the ports they share (cpu.ports)\n"
    "  unit    a unit that is not pipelined, such as a divider (cpu.repeat); of store: the "
    "lines\n"
    "          that stores go to in one cycle (cpu.store_lines)\n"
    "  chain   each operation waits for the result of another (cpu.latency)\n"
    "\n"
    "Columns of the operations:\n"
    "  AT      the cycle of issue after the block's begin\n"
    "  STEPS   operations of the machine it became\n"
    "  SLACK   of a load: cycles until the processor goes no further without its value; in "
    "order: its first\n"
    "          use, -: none along the path; out of order: the window is full\n"
    "  AFTER   the load whose value its address is made of, *: the youngest in flight\n"
    "  (K)     it reads what operation K has just stored\n"
    "\n"
    "Examples:\n"
    "  sidewinder blocks ./stencil -m t3d sweep\n"
    "  sidewinder blocks stencil.o -m rdma --set cpu.window=0\n";

struct options {
    char *machine, **set;
    const char *program, *function;
    gboolean help;
};

static double cycles(uint64_t ticks) { return (double)ticks / CPU_TICKS; }

/* ---- what bounds a block --------------------------------------------------------------------- */

static char *bound_text(const struct cpu_price *p)
{
    switch (p->bound) {
    case CPU_BOUND_ISSUE: return g_strdup("issue");
    case CPU_BOUND_CHAIN: return g_strdup("chain");
    case CPU_BOUND_UNIT: return g_strdup_printf("unit of %s", mach_class_word(p->unit));
    case CPU_BOUND_PORT:
    case CPU_BOUNDS: break;
    }
    GString *text = g_string_new("port p");
    for (int port = 0; port < MACH_PORT_COUNT; port++)
        if (p->ports >> port & 1) g_string_append_printf(text, "%X", port);
    return g_string_free(text, FALSE);
}

static void print_price(const struct cpu_price *p)
{
    g_autofree char *bound = bound_text(p);
    printf("%.2f cycles", cycles(p->ticks));
    if (p->miss > 0)
        printf(" (%.2f by branches predicted wrongly, as often as guessed)", cycles(p->miss));
    if (p->steady && p->path_blocks > 1)
        printf(", in a loop of %u blocks", p->path_blocks);
    else
        printf(p->steady            ? ", a loop"
               : p->path_blocks > 1 ? ", of a path of %u blocks"
                                    : "",
               p->path_blocks);
    printf("; bound by %s\n", bound);
    printf("    at least: issue %.2f, port %.2f, unit %.2f, chain %.2f cycles a pass\n",
           cycles(p->at_least[CPU_BOUND_ISSUE]), cycles(p->at_least[CPU_BOUND_PORT]),
           cycles(p->at_least[CPU_BOUND_UNIT]), cycles(p->at_least[CPU_BOUND_CHAIN]));
}

/* ---- operations ------------------------------------------------------------------------------ */

/* "fp_add f8 x4" */
static char *op_text(const struct cpu_op *op)
{
    GString *text = g_string_new(cpu_class_word(op->class));
    const char *kind = op->type & BLOCK_FLOAT ? "f" : op->type & BLOCK_SIGNED ? "s" : "i";
    if (op->class != BLOCK_BRANCH && op->class != BLOCK_RETURN)
        g_string_append_printf(text, " %s%u", kind, 8 * block_type_bytes(op->type));
    if (block_type_lanes(op->type) > 1)
        g_string_append_printf(text, " x%u", block_type_lanes(op->type));
    if (op->callee) g_string_append_printf(text, " %s", *op->callee ? op->callee : "(pointer)");
    return g_string_free(text, FALSE);
}

static char *operands_text(const struct cpu_object *object, const struct cpu_op *op)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < op->operands; i++) {
        const struct cpu_operand *o =
            &g_array_index(object->operand, struct cpu_operand, op->first_operand + i);
        const char *blank = i ? " " : "";
        switch (o->where) {
        case BLOCK_OUTSIDE:
        case BLOCK_VARIABLE: g_string_append_printf(text, "%s_", blank); break;
        case BLOCK_HERE: g_string_append_printf(text, "%s.%u", blank, o->k); break;
        case BLOCK_PREVIOUS: g_string_append_printf(text, "%s<%u", blank, o->k); break;
        case BLOCK_THERE: g_string_append_printf(text, "%s%u.%u", blank, o->block, o->k); break;
        case BLOCK_CONSTANT: g_string_append_printf(text, "%s#%u", blank, o->k); break;
        case BLOCK_WHERES: break;
        }
    }
    if (op->stored)
        g_string_append_printf(text, " (%u)",
                               g_array_index(object->operand, struct cpu_operand, op->stored).k);
    return g_string_free(text, FALSE);
}

/* The load that the address waits for: its block and operation. */
static char *after_text(const struct cpu_object *object, uint32_t after)
{
    if (after == CPU_AFTER_NONE) return g_strdup("");
    if (after == CPU_AFTER_YOUNGEST) return g_strdup("*");
    uint32_t b = 0;
    while (b + 1 < object->block->len &&
           g_array_index(object->block, struct cpu_block, b + 1).first_op <= after)
        b++;
    return g_strdup_printf("%u.%u", b,
                           after - g_array_index(object->block, struct cpu_block, b).first_op);
}

static void print_op(const struct cpu_object *object, const struct cpu_op *op, uint32_t k,
                     const struct cpu_timing *t)
{
    g_autofree char *name = op_text(op), *operands = operands_text(object, op);
    g_autofree char *slack = op->class != BLOCK_LOAD ? g_strdup("")
                             : t->slack == CPU_SLACK ? g_strdup("-")
                                                     : g_strdup_printf("%u", t->slack);
    g_autofree char *at = t->steps ? g_strdup_printf("%u", t->issue) : g_strdup("");
    g_autofree char *after =
        after_text(object, op->class == BLOCK_LOAD ? t->after : CPU_AFTER_NONE);
    printf("    %4u %5s %5u %5s %6s  %4u  %-18s %s\n", k, at, t->steps, slack, after, op->line,
           name, operands);
}

/* What its branch costs that the compiler does not know to be certain. */
static void print_branch(const struct cpu_object *object, const struct cpu_block *block,
                         const struct cpu_price *p)
{
    if (block->ops == 0) return;
    uint32_t last = block->first_op + block->ops - 1;
    uint32_t flags = g_array_index(object->op, struct cpu_op, last).flags;
    const bool branch = g_array_index(object->op, struct cpu_op, last).class == BLOCK_BRANCH;
    if (flags & BLOCK_PREDICTED)
        printf("    %s predicted during the run: %.2f cycles more for each wrong prediction\n",
               branch ? "its branch is" : "where it goes is", cycles(p->lost));
    if (flags & BLOCK_COUNTED)
        puts(
            "    it ends a loop that counts: a wrong prediction is charged where the loop is left");
    if (p->ways.saved > 0)
        printf("    its two ways overlap: for each pass of one, %d of the other take %.2f cycles "
               "less\n",
               p->ways.gives, p->ways.saved / 256.0);
    if (p->overlap.most > 0)
        printf("    its executions overlap: up to %.0f cycles less where it is left, half of that "
               "after %u rounds\n",
               p->overlap.most / 256.0, p->overlap.half);
    if (p->overlap.apart > 0)
        printf("    what is beside it overlaps with it: up to %.2f cycles less where it is left\n",
               p->overlap.apart / 256.0);
}

static void print_block(const struct cpu_object *object, uint32_t i, const struct cpu_price *p,
                        const struct cpu_timing *timing)
{
    const struct cpu_block *block = &g_array_index(object->block, struct cpu_block, i);
    printf("  block %u: ", i);
    print_price(&p[i]);
    print_branch(object, block, &p[i]);
    if (block->ops > 0)
        puts("      OP    AT STEPS SLACK  AFTER  LINE  OPERATION          OPERANDS");
    for (uint32_t k = 0; k < block->ops; k++)
        print_op(object, &g_array_index(object->op, struct cpu_op, block->first_op + k), k,
                 &timing[block->first_op + k]);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void print_function(const struct cpu_object *object, const struct cpu_function *f,
                           const struct cpu_price *price, const struct cpu_timing *timing)
{
    printf("%s (%s:%u)\n", cli_blocks_name(f->name),
           (const char *)g_ptr_array_index(object->file, f->file), f->line);
    if (object->optimisation == 0)
        puts("  compiled with -O0: what could live in a register is priced as a register");
    for (uint32_t b = f->first; b < f->first + f->blocks; b++)
        print_block(object, b, price, timing);
}

/* Functions printed. Of copies that C++ made in several objects, the one that the linker kept: the
 * first. `merged` has their names. */
static int print_object(const struct cpu *cpu, const struct cpu_object *object, const char *name,
                        GHashTable *merged)
{
    g_autofree struct cpu_price *price = g_new0(struct cpu_price, object->blocks + 1);
    g_autofree struct cpu_timing *timing = g_new0(struct cpu_timing, object->op->len + 1);
    int printed = 0;
    cpu_price(cpu, object, price, timing);
    for (uint32_t i = 0; i < object->function->len; i++) {
        const struct cpu_function *f = &g_array_index(object->function, struct cpu_function, i);
        if (name && !cli_blocks_named(f->name, name)) continue;
        if (f->flags & BLOCK_COMDAT && !g_hash_table_add(merged, (void *)f->name)) continue;
        print_function(object, f, price, timing);
        printed++;
    }
    return printed;
}

static int fail(GError *error, enum cli_exit code)
{
    fprintf(stderr, "sidewinder blocks: %s\n", error->message);
    g_error_free(error);
    return code;
}

static int show(const struct options *o)
{
    struct mach *m;
    GError *error = NULL;
    int printed = 0;
    if (!mach_load(o->machine, (const char *const *)o->set, 0, &m, &error))
        return fail(error, CLI_USAGE);
    g_autoptr(GPtrArray) objects = cpu_read_file(o->program, &error);
    g_autoptr(GHashTable) merged = g_hash_table_new(g_str_hash, g_str_equal);
    struct cpu *cpu = cpu_new(m);
    for (guint i = 0; objects && i < objects->len; i++)
        printed += print_object(cpu, g_ptr_array_index(objects, i), o->function, merged);
    cpu_free(cpu);
    mach_free(m);
    if (!objects) return fail(error, CLI_FAILED);
    if (printed > 0 || !o->function) return CLI_DONE;
    fprintf(stderr,
            "sidewinder blocks: %s: has no blocks of a function '%s'; one that "
            "was put in line is part of its callers: without FUNCTION all are shown\n",
            o->program, o->function);
    return CLI_FAILED;
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool refuse(GError **error, const char *what, const char *argument)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s%s (see sidewinder blocks --help)", what,
                argument);
    return false;
}

static bool parse(struct options *o, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"machine", 'm', 0, G_OPTION_ARG_FILENAME, &o->machine,
         "Machine to show them on: a name, or a platform file", "MACHINE"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->set,
         "Change one parameter, as in sidewinder run; may be repeated", "KEY=VALUE"},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GOptionContext) context = g_option_context_new("PROGRAM [FUNCTION]");
    g_option_context_set_summary(
        context, "Shows what the basic blocks of a program cost on a machine, and what bounds "
                 "them.");
    g_option_context_set_description(context, explanation);
    if (!cli_options_read(context, entries, "sidewinder blocks", &argc, &argv, error)) return false;
    if (o->help) {
        cli_print_help(context);
        return true;
    }
    if (argc > 3) return refuse(error, "one function at a time, not also ", argv[3]);
    if (argc < 2) return refuse(error, "no program given", "");
    if (!o->machine || !*o->machine) return refuse(error, "no machine given; use -m MACHINE", "");
    o->program = argv[1];
    o->function = argv[2];
    return true;
}

int cli_blocks(int argc, char **argv)
{
    struct options o = {0};
    GError *error = NULL;
    int code = !parse(&o, argc, argv, &error) ? fail(error, CLI_USAGE)
               : o.help                       ? CLI_DONE
                                              : show(&o);
    g_free(o.machine);
    g_strfreev(o.set);
    return code;
}
