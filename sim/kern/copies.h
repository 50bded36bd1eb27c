/* copies: each rank has the program's shared libraries for itself, as processes have.
 *
 * SMPI copies the program for every rank, and loads the copy. Here, between the two, the libraries
 * are copied as well, under names of the rank's own and as long as theirs; the rank's copies of the
 * program and of the libraries ask for those names. The loader finds them in the folder of the run
 * (LD_LIBRARY_PATH).
 *
 * SMPI can do so for libraries that the program itself asks for (smpi/privatize-libs): by sed over
 * the copy, and a library that asks for another gets the one of all ranks. */
#ifndef KERN_COPIES_H
#define KERN_COPIES_H

#include <stdbool.h>

/* The folder of the copies, and as SMPI names it. libraries: for each name by which one is asked
 * for that, the file that is loaded, and the file that has its descriptions; NULL ended, kept.
 * keep: the files of the copies stay. */
void kern_copies(const char *folder, const char *tmpdir, char *const *libraries, bool keep);
#endif
