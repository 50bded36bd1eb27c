/* check, inside: a row a rule. Not a door. */
#ifndef CHECK_WORDS_H
#define CHECK_WORDS_H

#include "check/parts.h"

struct check_word {
    enum check_class class;
    const char *rule, *sentence, *why, *cure; /* as in struct check_finding */
};
extern const struct check_word check_word[CHECK_RULES];

#endif
