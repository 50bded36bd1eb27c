/* cli/machines: `sidewinder machines`. */
#ifndef CLI_MACHINES_MACHINES_H
#define CLI_MACHINES_MACHINES_H

int cli_machines(int argc, char **argv);

#endif
