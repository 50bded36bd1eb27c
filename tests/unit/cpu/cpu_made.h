/* Descriptions of blocks made from text, as the compiler plugin would write them. A line each:
 *
 *   function NAME
 *   block [loop] [-> BLOCK PROBABILITY]...
 *   [@LINE] CLASS TYPE [live] [predicted] [counted] [stored] [empty] [begun] [times FACTOR] [again
 * LOAD] [FORM] [NAME] [from TYPE] OPERAND...
 *
 * TYPE: i4, s4 (signed), f8, f8x4 (lanes); FORM: base, indexed, scaled, static, stack; NAME: of a
 * call, with "="; OPERAND: .K (operation K of this block), <K (one iteration ago), B.K (of block
 * B), #BITS (a constant), _ (from outside). Blocks count through the text. */
#ifndef CPU_MADE_H
#define CPU_MADE_H

#include "cpu/cpu.h"

/* The record of one object, with this identity. Free with g_byte_array_unref. */
GByteArray *cpu_made(const char *text, uint64_t identity);

#endif
