/* Static answers of C's library: each rank has its own. Linked from an archive, into programs that
 * ask for one. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 400 }; /* of the longest number that has a double, 309, and more */

STAND_IN char *ecvt(double value, int digits, int *point, int *negative)
{
    static char answer[DIGITS];
    return ecvt_r(value, digits, point, negative, answer, sizeof answer) == 0 ? answer : NULL;
}
STAND_IN char *fcvt(double value, int digits, int *point, int *negative)
{
    static char answer[DIGITS];
    return fcvt_r(value, digits, point, negative, answer, sizeof answer) == 0 ? answer : NULL;
}

/* Six bits a digit, the lowest first, of the low 32 bits (POSIX.1-2017, a64l). */
STAND_IN char *l64a(long value)
{
    static const char digit[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static char answer[7];
    char *end = answer;
    for (uint32_t rest = (uint32_t)value; rest; rest >>= 6) *end++ = digit[rest & 63];
    *end = '\0';
    return answer;
}
