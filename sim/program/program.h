/* program: linked into every program `sidewinder cc` makes; each rank's copy of the program has its
 * own.
 *
 * Functions of C's library that a rank must not share with its neighbours or with the host: those
 * that touch the program's memory, allocate it, tell the time, end the process, or keep state
 * (getopt, strtok, rand). All are weak, so that a program's own definition wins, and hidden, so
 * that no library of the process is caught by them. This code is not instrumented.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "probe/probe.h"

#define STAND_IN __attribute__((weak, visibility("hidden")))

/* Those that the rank's copy of the Fortran library must find, too, in a program that has one: it
 * is loaded for the program, so it looks into the program first. */
#ifdef PROGRAM_FORTRAN
#define OF_THE_RANK __attribute__((weak, visibility("default")))
#else
#define OF_THE_RANK STAND_IN
#endif

#endif
