/* cli/limits: `sidewinder limits`. */
#ifndef CLI_LIMITS_LIMITS_H
#define CLI_LIMITS_LIMITS_H

int cli_limits(int argc, char **argv);

#endif
