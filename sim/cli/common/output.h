/* cli/common: the files that a command line names to write. What could only fail at the end is
 * refused at the beginning. */
#ifndef CLI_COMMON_OUTPUT_H
#define CLI_COMMON_OUTPUT_H

#include "base/base.h"

/* Was the option given a file, not the option that follows it? NULL is none, and good. */
bool cli_is_file(const char *option, const char *name, GError **error);
/* An output file, absolute; "-" stays. Refuses what cannot be written; creates nothing. Free with
 * g_free. False: *error names the option. */
char *cli_output(const char *option, const char *name, GError **error);
/* The same for what replaces its file or goes back in it: refuses also pipes and devices. thing: "a
 * graph". */
char *cli_output_regular(const char *option, const char *thing, const char *name, GError **error);

/* A file, and what gives it: an option, or "the program". NULL and "" are no file. */
struct cli_named {
    const char *by, *file;
};
/* The first `outputs` of `files`: is none of them also another output, or one of the inputs that
 * follow? A pipe or a device takes several. False: *error names both. */
bool cli_outputs_apart(const struct cli_named *file, size_t outputs, size_t files, GError **error);

#endif
