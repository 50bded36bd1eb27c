/* above: who is asked what is not played in short, and whether anybody watches. */
#include "mem/access/processor.h"

struct mem_above mem_above;
int mem_watched;
