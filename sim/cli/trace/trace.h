/* cli/trace: `sidewinder trace`. */
#ifndef CLI_TRACE_TRACE_H
#define CLI_TRACE_TRACE_H

int cli_trace(int argc, char **argv);

#endif
