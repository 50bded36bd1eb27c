/* A system that denies what DENIED names: staying on a processor, or executing code of one's own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int denied(const char *what)
{
    const char *name = getenv("DENIED");
    if (!name || strcmp(name, what) != 0) return 0;
    errno = EPERM;
    return 1;
}
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    int (*real)(pid_t, size_t, const cpu_set_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "sched_setaffinity");
    return denied("affinity") ? -1 : real(pid, size, set);
}
int mprotect(void *at, size_t bytes, int what)
{
    int (*real)(void *, size_t, int);
    *(void **)&real = dlsym(RTLD_NEXT, "mprotect");
    return denied("execution") && (what & PROT_EXEC) ? -1 : real(at, bytes, what);
}
