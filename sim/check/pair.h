/* check, inside: what happens to pairs that are watched. Not a door. */
#ifndef CHECK_PAIR_H
#define CHECK_PAIR_H

#include "check/parts.h"

void check_pairs_open(void);
void check_pairs_close(void);
/* Asked only while check_pairing: a local access begins; an operation is called; what it carried,
 * once it is complete; a nonblocking call that is none begins (number 0: it loads); two accesses
 * are found to conflict. */
void check_pair_access(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind,
                       op_site site);
void check_pair_operation(const struct check_operation *operation, int rank, uint64_t number);
void check_pair_held(int rank, const struct check_buffer *buffer, enum check_kind kind,
                     op_site site, uint64_t number);
void check_pair_fetched(uint64_t number, const struct check_buffer *there, const uint8_t *bytes);
void check_pair_carried(uint64_t number, const uint8_t *bytes, uint64_t n);
/* Memory of a window comes, and goes. */
void check_pair_memory(int window, int owner, uintptr_t base, uint64_t bytes);
void check_pair_memory_gone(int window, int owner, uintptr_t base, uint64_t bytes);
void check_pair_noted(const struct check_actor *a, const struct check_actor *b);

#endif
