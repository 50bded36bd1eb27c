/* The processor of a rank, as its machine describes it. */
#include "serve/serve.h"
#include "serve/policy/policy.h"

struct serve_proc *serve_proc_new(const struct mach *m, int rank, int node, struct mem_node *memory,
                                  struct mem_cpu *cpu)
{
    struct serve_proc *proc = g_new0(struct serve_proc, 1);
    proc->rank = rank;
    proc->node = node;
    proc->mach = m;
    proc->policy = serve_find(m->serve_policy);
    proc->delayed = strcmp(m->serve_when, "completion") == 0;
    proc->memory = memory;
    proc->cpu = cpu;
    proc->gate = kern_gate_new();
    if (kern_parts_on) proc->parts = g_new0(struct serve_parts, 1);
    kern_cause_begin(rank, &proc->spent, proc->parts ? &proc->parts->paid : NULL);
    return proc;
}

void serve_proc_free(struct serve_proc *proc)
{
    if (proc) kern_gate_free(proc->gate);
    if (proc) g_free(proc->parts);
    g_free(proc);
}
