/* trace, inside: the lines of the file that is being written. Not a door. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "trace/trace.h"

/* Creates the file with its head; trace_on from here to close. False: see errno. */
bool trace_file_open(const char *path, const struct trace_about *about);
/* False: not everything could be written, see errno. */
bool trace_file_close(void);

/* One line each, while the file is open. */
void trace_file_operation(const struct op_trail *trail);
void trace_file_interval(const struct trace_interval *interval);
void trace_file_end(const char *how, double time_s);

#endif
