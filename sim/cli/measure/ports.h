/* The ports of the classes, from pairs of them. */
#ifndef CLI_MEASURE_PORTS_H
#define CLI_MEASURE_PORTS_H

#include "cli/measure/parts.h"
#include "mach/mach.h"

struct cli_port_class {
    enum mach_class class;
    enum cli_snippet many; /* independent operations of it */
    double rate;           /* of them a cycle, alone */
    uint16_t ports;        /* found: a set of them */
};
/* Finds the ports and adds their rows. */
void cli_measure_ports(struct cli_bench *b, struct cli_port_class *c, int n);
/* The set of `count` ports of `universe` whose overlaps with those of the n classes before are
 * nearest to overlap[]; of several the lowest. Pure. */
uint16_t cli_ports_fit(int count, int universe, const struct cli_port_class *before, int n,
                       const double *overlap);

#endif
