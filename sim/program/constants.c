/* A program's constants begin where this stands, in front of them at link time, at a page: where
 * they lie in it depends neither on how long instrumented code is nor on the stand-ins' own text.
 * Addresses of pages do not matter (mem/address). */
#include "program/program.h"

extern const char sw_constants[1];
const char sw_constants[1] __attribute__((visibility("hidden"), aligned(4096))) = {0};
