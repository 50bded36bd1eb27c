/* What a verdict says: the sentence of the standard that each rule is, and the smallest cure.
 * Numbers of sections: MPI-2 chapter 11 (the one-sided chapter), unless another standard is named.
 */
#include "check/words.h"

static const char own_buffer[] =
    "a process should not access the local buffer of a get operation until the operation is "
    "complete, and should not update the local buffer of a put or accumulate operation until that "
    "operation is complete";

/* A row a rule. Sentences are those of MPI-2 11.7; of other sections only the number is given. */
const struct check_word check_word[CHECK_RULES] = {
    [CHECK_RULE_TARGET] =
        {CHECK_ERROR, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "nothing completes the first at the target before the second starts",
         "complete the first (fence, complete and wait, unlock or flush) and let its origin's next "
         "message, barrier or fence come before the second. Or use accumulates of one operation "
         "and datatype"},
    [CHECK_RULE_LOCAL] =
        {CHECK_ERROR, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "no synchronisation orders the operation's completion and the local access",
         "end the operation's epoch (fence, complete and wait, or unlock or flush and then a "
         "message or barrier) between the two"},
    [CHECK_RULE_STORE] =
        {CHECK_ERROR, "MPI-2 11.7 rule 3",
         "A put or accumulate must not access a target window once a local update or a put or "
         "accumulate update to another (overlapping) target window have started on a location in "
         "the target window, until the update becomes visible in the public copy of the window.",
         "no synchronisation orders the store and the operation's completion",
         "put a fence, or post, or a message or barrier after the operation is complete, between "
         "the two"},
    [CHECK_RULE_READ] =
        {CHECK_ERROR, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "no synchronisation orders the store and the operation that reads",
         "put a fence, or post, or a message or barrier after the operation is complete, between "
         "the two"},
    [CHECK_RULE_BUFFER] =
        {CHECK_ERROR, "MPI-2 11.7", own_buffer, "the operation is not complete at its origin",
         "complete it there first: fence, complete, unlock, flush or flush_local, or wait for its "
         "request"},
    [CHECK_RULE_MESSAGE] = {CHECK_ERROR, "MPI-3.1 3.7.2", "",
                            "the nonblocking call has the buffer, and is not complete",
                            "wait for its request first"},
    [CHECK_RULE_ORIGIN] =
        {CHECK_ERROR, "PUT/ACCEPT: Non-conformance (origin buffer)",
         "Local references to addresses in the range specified by the origin_base, "
         "origin_datatype, and origin_count arguments of a PUT operation are not permitted between "
         "that operation and the following ACCEPT operation having the same tag and comm "
         "arguments.",
         "the servicing call that completes the request has not ended",
         "let the ACCEPT or OFFER of that tag end first"},
    [CHECK_RULE_RANGE] =
        {CHECK_ERROR, "PUT/ACCEPT: Non-conformance (servicer's range)",
         "Local references to addresses in the range specified by the base and size arguments of "
         "an ACCEPT operation are not permitted during the execution of that operation.",
         "the servicing call has not ended", "wait for its request first"},
    [CHECK_RULE_SERVICERS] =
        {CHECK_ERROR, "PUT/ACCEPT: Non-conformance (two servicers)", "",
         "what a GET fetches there depends on which request is serviced first",
         "let the one end before the other begins, or give them ranges that do not overlap"},
    [CHECK_RULE_DIRECT] =
        {CHECK_ERROR, "MPI-3.1 11.7", "", "no synchronisation orders the two",
         "put MPI_Win_sync, a barrier or message, and MPI_Win_sync between the two; or use atomic "
         "operations"},
    [CHECK_RULE_UNSYNCED] =
        {CHECK_SEPARATE, "MPI-3.1 11.5.4", "",
         "a message or barrier orders the two, but no call of both sides, as MPI_Win_sync, makes "
         "them consistent",
         "call MPI_Win_sync before the synchronisation in the one process and after it in the "
         "other"},
    [CHECK_RULE_STALE] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "the operation is complete, but no call of the target has made its private copy agree",
         "let the target call MPI_Win_sync, MPI_Win_fence, MPI_Win_wait or MPI_Win_lock on its own "
         "part before the access"},
    [CHECK_RULE_LATE] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "the store comes first, but no call of its process has published it",
         "let the process that stores call MPI_Win_sync, MPI_Win_fence, MPI_Win_post or "
         "MPI_Win_unlock on its own part before the synchronisation that orders the two"},
    [CHECK_RULE_DISJOINT] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 3",
         "In both cases, the restriction applies to operations even if they access disjoint "
         "locations in the window.",
         "the window is stored to and updated by an operation in one epoch",
         "store in another epoch, or in another window"},
    [CHECK_RULE_POLL] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "the load polls for the operation's value",
         "poll with MPI_Fetch_and_op and MPI_NO_OP, or wait for a message"},
    [CHECK_RULE_NOPRECEDE] =
        {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOPRECEDE", "",
         "it asserts that no operation was issued since the fence before, and this one was",
         "leave MPI_MODE_NOPRECEDE out"},
    [CHECK_RULE_NOSTORE] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOSTORE", "",
                            "it asserts that the window was not stored to since the last "
                            "synchronisation, and it was here",
                            "leave MPI_MODE_NOSTORE out"},
    [CHECK_RULE_NOPUT] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOPUT", "",
                          "it asserts that no operation updates the window until the next "
                          "synchronisation, and this one does",
                          "leave MPI_MODE_NOPUT out"},
    [CHECK_RULE_NOCHECK_LOCK] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOCHECK", "",
                                 "the two locks conflict and are held at once",
                                 "leave MPI_MODE_NOCHECK out"},
    [CHECK_RULE_NOCHECK_START] =
        {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOCHECK", "",
         "no synchronisation orders the target's post before this start",
         "let a message or barrier come between post and start, or leave MPI_MODE_NOCHECK out"},
    [CHECK_RULE_TWICE] = {CHECK_ERROR, "MPI-2 11.3.1, 11.3.2", "",
                          "the datatype of what it writes names some bytes twice",
                          "let the datatype name each byte once"},
    [CHECK_RULE_DETACHED] =
        {CHECK_ERROR, "MPI-3.1 11.2.4", "",
         "the memory is detached, and nothing orders the operation's completion before that",
         "complete it, and let a message or barrier come between the two"},
    [CHECK_RULE_FREED] = {CHECK_ERROR, "MPI-2 11.7", own_buffer,
                          "the memory is freed before the operation is complete",
                          "complete it first"},
    [CHECK_RULE_RETURNED] =
        {CHECK_ERROR, "MPI-2 11.7", own_buffer,
         "the function whose variable it is has returned before the operation is complete",
         "complete it before the function returns, or let the buffer be allocated or static"},
    [CHECK_RULE_RETURNED_MESSAGE] =
        {CHECK_ERROR, "MPI-3.1 3.7.2", "",
         "the function whose variable it is has returned, and the nonblocking call is not complete",
         "wait for its request before the function returns, or let the buffer be static"},
    [CHECK_RULE_FREED_WINDOW] = {CHECK_ERROR, "MPI-3.1 11.2.5", "",
                                 "the memory is freed while a window has it",
                                 "free, or detach from, the window first"},
    [CHECK_RULE_UNRELEASED] = {CHECK_ERROR, "MPI-2 11.4.3", "",
                               "the program ends with the lock held", "unlock it"},
    [CHECK_RULE_INCOMPLETE] =
        {CHECK_ERROR, "MPI-2 11.7",
         "An RMA operation is completed at the origin by the ensuing call to MPI_WIN_COMPLETE, "
         "MPI_WIN_FENCE or MPI_WIN_UNLOCK that synchronizes this access at the origin.",
         "the program ends before such a call", "end its epoch"},
    [CHECK_RULE_UNFREED] = {CHECK_NOTE, "MPI-3.1 8.7", "",
                            "the program ends and the window is not freed", "call MPI_Win_free"},
    [CHECK_RULE_UNWAITED] = {CHECK_NOTE, "MPI-3.1 11.3.5", "",
                             "the program ends, and nobody has waited for its request or tested it",
                             "call MPI_Wait, also where MPI_Win_unlock or a flush completes the "
                             "operation"},
    [CHECK_RULE_SYNC] = {CHECK_NOTE, "MPI-3.1 11.5.4",
                         "All flush and sync functions can be called only within passive target "
                         "epochs.",
                         "the process holds no lock of the window",
                         "call MPI_Win_lock_all first, and MPI_Win_unlock_all at the end"},
    [CHECK_RULE_LAST_UPDATE] = {CHECK_NOTE, "MPI-3.1 11.3.4, MPI_REPLACE", "",
                                "both are allowed at once, and whose value stays depends on timing",
                                "if one of the two is meant to stay, order them"},
    [CHECK_RULE_LAST_LOCK] =
        {CHECK_NOTE, "MPI-2 11.4.3", "",
         "the locks exclude each other in either order, neither epoch reads the bytes before it "
         "writes them, and whose value stays depends on timing",
         "if one of the two is meant to stay, order them"},
};
