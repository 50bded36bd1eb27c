/* What a program asks about its computer is answered of the machine's node. */
#include <cstdio>
#include <cstring>
#include <mpi.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char name[MPI_MAX_PROCESSOR_NAME], host[256], few[4];
    int length;
    utsname about;
    MPI_Get_processor_name(name, &length);
    if (gethostname(host, sizeof host) != 0 || uname(&about) != 0) return 1;
    const bool same = strcmp(name, host) == 0 && strcmp(name, about.nodename) == 0;
    const bool cut = gethostname(few, sizeof few) == -1 && memcmp(few, host, sizeof few) == 0;
    const bool own = gettid() == getpid();
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const bool agree = processors == get_nprocs() && processors == get_nprocs_conf() &&
                       processors == (long)std::thread::hardware_concurrency();
    printf("%s names %d cut %d thread %d processors %ld %d of %d L1 %ld/%ld/%ld L2 %ld L3 %ld\n",
           host, same, cut, own, processors, agree, sched_getcpu(), sysconf(_SC_LEVEL1_DCACHE_SIZE),
           sysconf(_SC_LEVEL1_DCACHE_LINESIZE), sysconf(_SC_LEVEL1_DCACHE_ASSOC),
           sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE));
    MPI_Finalize();
    return 0;
}
