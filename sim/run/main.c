/* sidewinder-sim: one simulated world in a process of its own. Started by `sidewinder run`, which
 * writes the description. */
#include "world/world.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("sidewinder-sim is started by: sidewinder run -m MACHINE -n N PROGRAM\n", stderr);
        return 2;
    }
    return world_run(argv[1], argc - 2, argv + 2);
}
