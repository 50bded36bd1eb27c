/* cli/common: what all commands share: exit codes, commands and JSON as text.
 *
 * A command is a function cli_NAME in a folder of its own, listed in commands.def. argv[0] is the
 * command's name. It returns the exit code: 0 done, 1 failed, 2 used wrongly; `run` passes the
 * program's own through. All know --help. Errors are one line on standard error that begins
 * "sidewinder COMMAND: ". Colour only where a terminal reads.
 */
#ifndef CLI_COMMON_COMMON_H
#define CLI_COMMON_COMMON_H

#include <json-glib/json-glib.h>

#include "base/base.h"

enum cli_exit { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* A command as one could type it again: first as it stands, then the words, quoted where a shell
 * asks for it. Free with g_free. */
char *cli_words(const char *first, char **words);

/* What was built, as text for people to read. Free with g_free. (json.c) */
char *cli_json_text(JsonBuilder *built);

#endif
