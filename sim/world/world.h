/* world: one simulated world, built from one run description, and the ranks that live in it.
 *
 * Everything a rank's own code does enters through the sub-rooms: the hooks ask rank for the
 * current processor, the dialects say to call when a call begins and ends. Blocking happens below,
 * in serve and kern. Here: building the world, running it, its end.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

/* Runs the world described by the key file at `path` to its end and writes its reports. Returns the
 * exit code of the run: the program's; 128 + signal; 3 for a deadlock. The key file (written by
 * `sidewinder run`), group [run]: program, machine (path of the resolved platform), machine_name,
 * ranks, hostfile, tmpdir, quantum_s, command; optional report (path; "-": standard error; "":
 * none), json, trace, set (list), uninstrumented (list), colour (bool), debugged (bool),
 * libraries (list, of kern/copies.h). Arguments of the program follow as argv. */
__attribute__((visibility("default"))) int world_run(const char *path, int argc, char **argv);

#endif
