/* cli/sweep: `sidewinder sweep`. */
#ifndef CLI_SWEEP_SWEEP_H
#define CLI_SWEEP_SWEEP_H

int cli_sweep(int argc, char **argv);

#endif
