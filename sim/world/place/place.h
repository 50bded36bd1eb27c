/* Where a rank is in its program, and messages to the user. */
#ifndef WORLD_PLACE_H
#define WORLD_PLACE_H

#include "op/op.h"
#include "world/rank/rank.h"

op_site world_site(const struct world_rank *rank);      /* of the outermost call in progress */
const char *world_where(const struct world_rank *rank); /* the same as "halo.c:42" */
const char *world_place(op_site site);                  /* any site like that */
/* The same, of an access of the running rank: one in a function of C++'s library is at the call
 * that led there from the program's own code. */
op_site world_users_site(op_site site);
/* Of a call that returns to pc, in a wrapper (a function that is called MPI_X or mpi_x_) or in what
 * that calls: where the wrapper returns to. pc: of any other. */
uintptr_t world_wrapped(uintptr_t pc);
/* a line on standard error that begins "sidewinder: " */
void world_say(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* The program called MPI_Abort, or an error was fatal: remember the code, end the run. Does not
 * return to the program's code once the kernel has killed the rank. */
void world_abort(int code);

/* The rank is at that date of its own: where dates end it ends the run, in a sentence. */
void world_check_date(const struct world_rank *rank, double now_s);

#endif
