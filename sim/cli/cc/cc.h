/* cli/cc: `sidewinder cc`, `c++`, `f77` and `f90`. */
#ifndef CLI_CC_CC_H
#define CLI_CC_CC_H

int cli_cc(int argc, char **argv);
int cli_cxx(int argc, char **argv);
int cli_f77(int argc, char **argv);
int cli_f90(int argc, char **argv);

/* The names of files that were linked into a program and hold code without hooks: NULL ended, or
 * NULL for none. Free with g_strfreev. */
char **cli_cc_read_note(const char *program);

#endif
