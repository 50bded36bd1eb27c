/* world/process: what a process has one of, and ranks, which are one process here, each their own:
 * the working folder, the mask of file permissions, the environment, the files of the standard
 * streams (POSIX.1-2017, exec: what a process has; chapter 8). They are apart from the first change
 * on that a rank makes; until then they cost nothing. */
#ifndef WORLD_PROCESS_H
#define WORLD_PROCESS_H

#include "base/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

extern bool world_process_parted;

/* That rank of so many is about to change one of them. False with errno: it cannot have its own. */
bool world_process_part(int rank, int ranks);
/* The rank has another working folder now. False with errno: it is not to be had again. */
bool world_process_moved(int rank);
/* Is that the file of a standard stream, which is about to be another? What all have printed goes
 * out. opened: the rank has another. */
bool world_process_is_standard(int file);
void world_process_opened(int rank, int file);
/* The environment of the rank that has parted: "NAME=value", which becomes a part of it; a name;
 * all. */
void world_process_set(char *text);
void world_process_unset(const char *name);
void world_process_clear(void);
/* Its program goes on. */
void world_process_enter(int rank);
/* A rank has forked that child, whose end only it may wait for. The rank whose it is; negative:
 * nobody's. Has that rank one? */
void world_process_bore(int rank, pid_t child);
int world_process_parent(pid_t child);
bool world_process_has_child(int rank);
/* wait4 and waitid for any child of that rank. */
pid_t world_process_wait(int rank, int *status, int options, struct rusage *usage);
int world_process_waitid(int rank, siginfo_t *info, int options);
/* The run is over: what the simulator prints goes where its streams led. */
void world_process_end(void);

#endif
