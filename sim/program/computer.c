/* Stand-ins for what asks about the computer: its name, its processors and their caches. Linked
 * from an archive, into programs that call one of them. */
#include "program/program.h"

#include <errno.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

STAND_IN int uname(struct utsname *about) { return probe_calls.uname(about); }
/* Where it was called has stored the name. */
STAND_IN int gethostname(char *name, size_t n)
{
    struct utsname about;
    size_t length = 0;
    if (probe_calls.uname(&about) != 0) return -1;
    do
        if (length < n) ((volatile char *)name)[length] = about.nodename[length];
    while (about.nodename[length++]);
    probe_calls.gave(name, length < n ? length : n, (uintptr_t)__builtin_return_address(0));
    if (length <= n) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

STAND_IN long sysconf(int name) { return probe_calls.sysconf(name); }
STAND_IN int get_nprocs(void) { return (int)probe_calls.sysconf(_SC_NPROCESSORS_ONLN); }
STAND_IN int get_nprocs_conf(void) { return (int)probe_calls.sysconf(_SC_NPROCESSORS_CONF); }
/* std::thread::hardware_concurrency, of libstdc++ */
STAND_IN unsigned _ZNSt6thread20hardware_concurrencyEv(void);
STAND_IN unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return (unsigned)get_nprocs(); }
STAND_IN int sched_getcpu(void) { return probe_calls.processor(); }

/* A rank is a process with one thread. */
STAND_IN pid_t gettid(void) { return probe_calls.getpid(); }
