/* cli/view: `sidewinder view`. */
#ifndef CLI_VIEW_VIEW_H
#define CLI_VIEW_VIEW_H

#include "base/base.h"

int cli_view(int argc, char **argv);
/* Which bytes the findings of that trace are about, the first `most`, as `run --watch` names them;
 * maybe none. NULL: *error. Free with g_strfreev. */
char **cli_view_memory(const char *trace, guint most, GError **error);
/* The page of a whole trace; its source is looked for in folders, NULL ends them. */
bool cli_view_make(const char *trace, const char *const *folders, const char *page, GError **error);

#endif
