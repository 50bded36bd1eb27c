/* cli/check: `sidewinder check`. */
#ifndef CLI_CHECK_CHECK_H
#define CLI_CHECK_CHECK_H

int cli_check(int argc, char **argv);

#endif
