/* kern: a message whose bytes SimGrid hands over, from its sender's buffer to its receiver's: for
 * who looks at a crash. No rank runs then. */
#ifndef KERN_HANDING_H
#define KERN_HANDING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Its bytes; 0: none is. */
size_t kern_handed(void);
/* Keeps account of it from now on. Before smpi_main. */
void kern_handing(void);
#ifdef __cplusplus
}
#endif

#endif
