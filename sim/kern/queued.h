/* kern: SimGrid's messages that nothing has met yet: a send without its receive, or the other way
 * round. */
#ifndef KERN_QUEUED_H
#define KERN_QUEUED_H

#ifdef __cplusplus
extern "C" {
#endif
/* Does that MPI_Request still wait for its other side? ranks: of the run. */
int kern_queued(const void *request, int ranks);
#ifdef __cplusplus
}
#endif

#endif
