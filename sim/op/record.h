/* op, inside: what the parts of the run's record ask of each other. Not a door. */
#ifndef OP_RECORD_H
#define OP_RECORD_H

#include "op/op.h"

void op_totals_clear(void);
void op_names_clear(void);
void op_trace_drop(void);

/* Lines of the open trace. */
void op_trace_operation(const struct op_trail *trail);
void op_trace_interval(const struct op_interval *interval);
void op_trace_event(const struct op_event *event);
void op_trace_stale(const struct op_stale *stale);

/* Lanes live as long as the trace is open; done writes what they still hold. */
void op_lanes_open(int ranks, int nodes);
void op_lanes_done(void);
void op_lanes_close(void);

/* The fields of each kind of line, as the file's head tells them; columns of operations stand in
 * the order of struct op_trail. */
extern const char op_trace_head[];

#endif
