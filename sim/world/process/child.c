/* Children of ranks: whose is which. To the host all are the one process's, and a rank that waited
 * for any of its children would take another's. */
#include "world/process/process.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>

struct child {
    pid_t pid;
    int rank;
};
static struct child *children;
static int ranks_children, room;

static void forget(int i) { children[i] = children[--ranks_children]; }

void world_process_bore(int rank, pid_t pid)
{
    for (int i = ranks_children - 1; i >= 0; i--) /* one that has been waited for by its number */
        if (children[i].pid == pid) forget(i);
    if (ranks_children == room) children = g_renew(struct child, children, room += 16);
    children[ranks_children++] = (struct child){pid, rank};
}

int world_process_parent(pid_t pid)
{
    for (int i = 0; i < ranks_children; i++)
        if (children[i].pid == pid) return children[i].rank;
    return -1;
}

/* Those whose end was waited for by their number are nobody's any more. */
static bool lives(const struct child *child)
{
    siginfo_t info;
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool world_process_has_child(int rank)
{
    for (int i = ranks_children - 1; i >= 0; i--) {
        if (children[i].rank != rank) continue;
        if (lives(&children[i])) return true;
        forget(i);
    }
    return false;
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); }

pid_t world_process_wait(int rank, int *status, int options, struct rusage *usage)
{
    while (world_process_has_child(rank)) {
        for (int i = 0; i < ranks_children; i++) {
            if (children[i].rank != rank) continue;
            int how;
            pid_t pid = wait4(children[i].pid, &how, options | WNOHANG, usage);
            if (pid <= 0) continue;
            if (WIFEXITED(how) || WIFSIGNALED(how)) forget(i);
            if (status) *status = how;
            return pid;
        }
        if (options & WNOHANG) return 0;
        rest();
    }
    errno = ECHILD;
    return -1;
}

static bool is_over(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
           info->si_code == CLD_DUMPED;
}

int world_process_waitid(int rank, siginfo_t *info, int options)
{
    while (world_process_has_child(rank)) {
        siginfo_t found = {0};
        for (int i = 0; i < ranks_children && found.si_pid == 0; i++) {
            if (children[i].rank != rank) continue;
            if (waitid(P_PID, (id_t)children[i].pid, &found, options | WNOHANG) != 0) {
                if (errno != ECHILD) return -1;
                continue; /* it was waited for by its number */
            }
            if (is_over(&found) && !(options & WNOWAIT)) forget(i);
        }
        if (found.si_pid > 0 || options & WNOHANG) {
            if (info) *info = found;
            return 0;
        }
        rest();
    }
    errno = ECHILD;
    return -1;
}
