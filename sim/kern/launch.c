/* Starting SMPI: every SimGrid option Sidewinder depends on, in one place. */
#include <smpi/smpi.h>
/* SMPI's headers turn these into simulated ones. */
#undef exit
#undef sleep

#include "kern/kern.h"

void kern_main(const struct kern_run *run)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup(run->program));
#define CFG(...) g_ptr_array_add(argv, g_strdup_printf("--cfg=" __VA_ARGS__))
    CFG("smpi/np:%d", run->ranks);
    CFG("smpi/hostfile:%s", run->hostfile);
    CFG("smpi/tmpdir:%s", run->tmpdir);
    CFG("smpi/privatization:dlopen");
    if (run->private_library) CFG("smpi/privatize-libs:%s", run->private_library);
    /* The closed form of the machine's parameters: no correction factors, no window limit, no cross traffic. */
    CFG("surf/precision:1e-12");
    CFG("network/model:LV08");
    CFG("network/latency-factor:1");
    CFG("network/bandwidth-factor:1");
    CFG("network/TCP-gamma:0");
    CFG("network/weight-S:0");
    CFG("network/crosstraffic:0");
    /* Host time is never measured; what MPI calls cost belongs to the machine. */
    CFG("smpi/simulate-computation:no");
    CFG("smpi/grow-injected-times:no");
    CFG("smpi/wtime:0");
    CFG("smpi/init:0");
    CFG("smpi/test:%.17g", run->test_s);
    CFG("smpi/iprobe:%.17g", run->test_s);
    CFG("smpi/os:0:%.17g:0", run->overhead_send_s);
    CFG("smpi/ois:0:%.17g:0", run->overhead_send_s);
    CFG("smpi/or:0:%.17g:0", run->overhead_receive_s);
    CFG("smpi/async-small-thresh:%.0f", run->eager_bytes);
    CFG("smpi/send-is-detached-thresh:%.0f", run->eager_bytes);
    /* The default selector makes start-up explode: 48 s of processor time at 256 ranks for a window allocation. */
    CFG("smpi/coll-selector:mpich");
    /* These three of it first build communicators of the ranks that share a host: 3 s at 256 ranks, growing with the third power. */
    CFG("smpi/allreduce:rdb");
    CFG("smpi/bcast:binomial_tree");
    CFG("smpi/reduce:binomial");
#undef CFG
    g_ptr_array_add(argv, g_strdup("--log=root.thres:error"));
    g_ptr_array_add(argv, g_strdup_printf("--log=root.app:file:%s", run->log));
    g_ptr_array_add(argv, g_strdup(run->platform));
    int argc = (int)argv->len;
    g_ptr_array_add(argv, NULL);
    /* SimGrid takes its own options out of the array it is given. */
    g_autofree char **shuffled = g_memdup2(argv->pdata, argv->len * sizeof *argv->pdata);
    smpi_main(run->program, argc, shuffled);
}
