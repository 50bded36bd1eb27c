/* cli/compare: `sidewinder compare` and `sidewinder whatif`. */
#ifndef CLI_COMPARE_COMPARE_H
#define CLI_COMPARE_COMPARE_H

int cli_compare(int argc, char **argv);
int cli_whatif(int argc, char **argv);

#endif
