/* above: who is asked what is not played in short. */
#include "mem/access/processor.h"

struct mem_above mem_above;
