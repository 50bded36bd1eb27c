/* cli/plot: `sidewinder plot`. */
#ifndef CLI_PLOT_PLOT_H
#define CLI_PLOT_PLOT_H

int cli_plot(int argc, char **argv);

#endif
