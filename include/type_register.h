/* Registered datatypes and operations for one-sided communication (J. L. Traeff, "A very modest
 * proposal (Datatypes/Ops in RMA)", mpi3-rma list, 23 April 2008). Programs that keep to <mpi.h>:
 * compile with `sidewinder cc --dialect register`.
 *
 * Registering makes sure that the same datatype exists at origin and target, each with its own
 * handle. A registered datatype need not be described to the target; a registered operation of the
 * program's own is legal in MPI_Accumulate, MPI_Get_accumulate, MPI_Fetch_and_op and their
 * request-based forms.
 *
 * What travels with an operation, beside its bytes, to a target whose processor handles messages
 * (`now`):
 *
 * - a predefined datatype or operation: nothing, every header names them
 * - a registered datatype, an operation of the program's: a handle, 8 bytes
 * - any other datatype: its description, which the target's processor decodes before it touches the
 *   window
 *
 * A description has for each constructor 4 bytes (which), 4 for each integer and 8 for each address
 * of MPI_Type_get_contents, then its old types; a predefined one has 4 bytes. So a contiguous takes
 * 12 bytes, a vector 20, an indexed of n blocks 12 + 8n, a struct of n predefined members 8 + 16n.
 * Decoding loads every word and stores offset and length of every block of one element, 16 bytes.
 * With register.cache=N the target remembers the last N descriptions of each origin. Those travel
 * as a handle, and the description goes with a handle of 8 bytes the first time.
 *
 * Where the origin's processor or an interface reaches the target's memory
 * block by block (`t3d`, `smp`, `rdma`, ...), nothing travels and nothing is decoded, registered or
 * not. On a machine with register.required=yes an unregistered derived target datatype is
 * MPI_ERR_TYPE.
 *
 * A user's operation is called once an operation, MPI_User_function(invec, inoutvec, len,
 * datatype): the TARGET's function, the one registered there. Elements are what the target's own
 * handle of the datatype arranges: vector, hvector, indexed, hindexed, subarray, darray and dup
 * only say where elements lie and are looked through; an element is what a contiguous, a struct or
 * a predefined datatype describes, resized where that is resized. invec (the origin's) and inoutvec
 * (the target's) hold len elements, one extent apart; *datatype is the element's handle. Nothing
 * comes between: the result is as if no other operation ran meanwhile. Operations that do not
 * commute are applied in the order of servicing. The function may query datatypes and call
 * MPI_Abort, nothing else of MPI. It takes the time of its own accesses and of sw_compute on the
 * processor that performs the operation. The function's own stores go to the target's variables;
 * stores into a window, other than to inoutvec, are not carried to memory.
 */
#ifndef TYPE_REGISTER_H
#define TYPE_REGISTER_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* Collective over comm: every process gives its own handle, and all type maps must agree. Then the
 * datatype can be the target's in operations on windows over comm, or over communicators whose
 * processes are all in comm. Predefined datatypes are always registered. A mistake of one process
 * (another type map, no datatype) is an error at all of them, and nothing is registered. */
int MPI_Type_register(MPI_Datatype datatype, MPI_Comm comm);
/* Collective over the group and the caller, who need not be in it: if i calls with j in its group,
 * j calls with i in its group, and returns when i has called. Processes of comm that are in no such
 * group do not take part. */
int MPI_Type_register_sparse(MPI_Datatype datatype, MPI_Group group, MPI_Comm comm);
/* Local. Takes back one registration of the datatype over comm, the last; each must be, before the
 * datatype is freed. MPI_Comm_free takes all over that communicator back. */
int MPI_Type_dereg(MPI_Datatype datatype, MPI_Comm comm);

/* The same for operations made by MPI_Op_create. That the functions are the same is the program's
 * responsibility. */
int MPI_Op_register(MPI_Op op, MPI_Comm comm);
int MPI_Op_register_sparse(MPI_Op op, MPI_Group group, MPI_Comm comm);
int MPI_Op_dereg(MPI_Op op, MPI_Comm comm);

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
