/* cli/common: the command line, as people write it. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include "base/base.h"

/* The words of a command with short options' arguments apart, as GOption wants them: "-n2" becomes
 * "-n" "2". argv[0] is the command; what follows the first word that is no option stays. Free with
 * g_strfreev. */
char **cli_options_apart(const GOptionEntry *entries, char **argv);

/* An option's whole number, decimal however it begins. text NULL: the option is not there, *value
 * stays. False: *error names the option. */
bool cli_whole(const char *option, const char *text, int *value, GError **error);

/* "sidewinder 0.1.0", and the end of the line, on standard output. */
void cli_print_version(void);

#endif
