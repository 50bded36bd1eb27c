/* trace, inside: the tracks live as long as the file is open. Not a door. */
#ifndef TRACE_TRACK_H
#define TRACE_TRACK_H

void trace_tracks_open(int ranks, int nodes);
void trace_tracks_write(void); /* what they still hold */
void trace_tracks_close(void);

#endif
