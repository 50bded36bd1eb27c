/* Functions of C's library that load and store as much as their arguments say, for the check
 * (world/beside): they are called as they are, and keep no pointer. Those that have a stand-in are
 * not among them.
 *
 * Left out: functions whose answer says how much they stored, as recv and getcwd; on failure, that
 * nothing was. */
#include "probe/foreign.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <wchar.h>

#define LOADS(i, n)  world_beside((const void *)word[i], (uint64_t)(n), false)
#define STORES(i, n) world_beside((const void *)word[i], (uint64_t)(n), true)
#define FUNCTION(name, loads, stores)                                                              \
    static void name##_is_called(const uintptr_t *word, bool over)                                 \
    {                                                                                              \
        if (over) {                                                                                \
            stores;                                                                                \
        } else {                                                                                   \
            loads;                                                                                 \
        }                                                                                          \
    }
#include "probe/beside.def"
#undef FUNCTION

const struct world_beside_row probe_beside[] = {
#define FUNCTION(name, loads, stores) {#name, #name, true, name##_is_called},
#include "probe/beside.def"
#undef FUNCTION
    {NULL, NULL, false, NULL}};
