/* Closing the parts of the run's record; for op_clear. */
#ifndef OP_RECORD_H
#define OP_RECORD_H

void op_trace_close(void);
void op_names_clear(void);

#endif
