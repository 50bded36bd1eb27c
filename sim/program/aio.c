/* Stand-ins for asynchronous input and output (POSIX: aio_read and its kin). C's library has
 * threads for it, which would fill a window whenever the host lets them, and a poll would find what
 * the host's disk has done by then. Here a request is done when it is made, or, where its file has
 * nothing yet (a pipe), when the program asks for it: what was read is in memory when it is
 * complete, and takes no simulated time, as all input. Linked from an archive, into programs that
 * call it.
 *
 * The members of a control block that a program does not know are used as C's library does. Left
 * out: priorities. */
#include "program/program.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define HERE ((uintptr_t)__builtin_return_address(0))

struct group { /* of one lio_listio */
    struct sigevent event;
    int left;
};
/* One whose file has nothing, or no room, yet. */
struct request {
    struct request *next;
    struct aiocb *cb;
    struct group *group; /* NULL: none that is to be told of */
    int kind;            /* LIO_READ, LIO_WRITE */
    uintptr_t pc;        /* who made it */
};
static struct request *waiting; /* in the order in which they were made */

/* ---- the end of a request -------------------------------------------------------------------- */

static void *run(void *event)
{
    const struct sigevent own = *(struct sigevent *)event;
    free(event);
    own.sigev_notify_function(own.sigev_value);
    return NULL;
}

static void notify(const struct sigevent *event)
{
    if (event->sigev_notify == SIGEV_SIGNAL)
        sigqueue(getpid(), event->sigev_signo, event->sigev_value);
    if (event->sigev_notify != SIGEV_THREAD) return;
    struct sigevent *own = malloc(sizeof *own);
    pthread_t thread;
    if (!own) return;
    *own = *event;
    if (pthread_create(&thread, event->sigev_notify_attributes, run, own) == 0)
        pthread_detach(thread);
    else
        free(own);
}

static void end(struct aiocb *cb, ssize_t result, int error, struct group *group)
{
    cb->__return_value = result;
    cb->__error_code = result < 0 ? error : 0;
    notify(&cb->aio_sigevent);
    if (!group || --group->left > 0) return;
    notify(&group->event);
    free(group);
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* A file that has no places in it is read as it comes. */
static ssize_t fill(const struct aiocb *cb, char *block)
{
    const ssize_t n = pread(cb->aio_fildes, block, cb->aio_nbytes, cb->aio_offset);
    return n < 0 && errno == ESPIPE ? read(cb->aio_fildes, block, cb->aio_nbytes) : n;
}

static ssize_t get(const struct aiocb *cb, uintptr_t pc)
{
    char *to = (char *)(uintptr_t)cb->aio_buf, *block = malloc(cb->aio_nbytes + 1);
    if (!block) return -1;
    const ssize_t n = fill(cb, block);
    const int error = errno;
    for (ssize_t i = 0; i < n; i++) to[i] = block[i];
    if (n > 0) probe_calls.gave(to, (size_t)n, pc);
    free(block);
    errno = error;
    return n;
}

static ssize_t put(const struct aiocb *cb)
{
    const void *from = (const void *)(uintptr_t)cb->aio_buf;
    const ssize_t n = pwrite(cb->aio_fildes, from, cb->aio_nbytes, cb->aio_offset);
    return n < 0 && errno == ESPIPE ? write(cb->aio_fildes, from, cb->aio_nbytes) : n;
}

static bool is_ready(const struct request *r)
{
    struct pollfd file = {.fd = r->cb->aio_fildes,
                          .events = r->kind == LIO_READ ? POLLIN : POLLOUT};
    for (const struct request *other = waiting; other && other != r; other = other->next)
        if (other->cb->aio_fildes == file.fd && other->kind == r->kind) return false;
    return poll(&file, 1, 0) != 0;
}

static void perform(const struct request *r)
{
    const ssize_t n = r->kind == LIO_READ ? get(r->cb, r->pc) : put(r->cb);
    end(r->cb, n, errno, r->group);
}

static void progress(void)
{
    for (struct request **at = &waiting; *at;) {
        struct request *r = *at;
        if (!is_ready(r)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        perform(r);
        free(r);
    }
}

static int start(struct aiocb *cb, int kind, struct group *group, uintptr_t pc)
{
    struct request *r = malloc(sizeof *r), **at = &waiting;
    if (!r) {
        errno = EAGAIN;
        return -1;
    }
    *r = (struct request){.cb = cb, .group = group, .kind = kind, .pc = pc};
    cb->__error_code = EINPROGRESS;
    while (*at) at = &(*at)->next;
    *at = r;
    progress();
    return 0;
}

/* ---- the calls ------------------------------------------------------------------------------- */

STAND_IN int aio_read(struct aiocb *cb) { return start(cb, LIO_READ, NULL, HERE); }
STAND_IN int aio_write(struct aiocb *cb) { return start(cb, LIO_WRITE, NULL, HERE); }

STAND_IN int aio_error(const struct aiocb *cb)
{
    progress();
    return cb->__error_code;
}

STAND_IN ssize_t aio_return(struct aiocb *cb) { return cb->__return_value; }

STAND_IN int aio_fsync(int how, struct aiocb *cb)
{
    const int code = how == O_DSYNC ? fdatasync(cb->aio_fildes) : fsync(cb->aio_fildes);
    end(cb, code, errno, NULL);
    return 0;
}

/* Until a file that is waited for is ready, or so many milliseconds are over: -1: for ever. */
static int wait_for_files(int ms)
{
    enum { MOST = 64 };
    struct pollfd file[MOST];
    nfds_t n = 0;
    for (const struct request *r = waiting; r && n < MOST; r = r->next)
        file[n++] = (struct pollfd){.fd = r->cb->aio_fildes,
                                    .events = r->kind == LIO_READ ? POLLIN : POLLOUT};
    return poll(file, n, ms);
}

STAND_IN int aio_suspend(const struct aiocb *const list[], int n, const struct timespec *timeout)
{
    for (;;) {
        bool any = false;
        progress();
        for (int i = 0; i < n; i++) {
            if (list[i] && list[i]->__error_code != EINPROGRESS) return 0;
            any |= list[i] != NULL;
        }
        if (!any) return 0;
        const int ms = timeout ? (int)(timeout->tv_sec * 1000 + timeout->tv_nsec / 1000000) : -1;
        const int ready = wait_for_files(ms);
        if (ready > 0) continue;
        errno = ready == 0 ? EAGAIN : EINTR;
        return -1;
    }
}

STAND_IN int aio_cancel(int file, struct aiocb *cb)
{
    int code = AIO_ALLDONE;
    for (struct request **at = &waiting; *at;) {
        struct request *r = *at;
        if (r->cb->aio_fildes != file || (cb && r->cb != cb)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        end(r->cb, -1, ECANCELED, r->group);
        free(r);
        code = AIO_CANCELED;
    }
    return code;
}

static bool all_done(struct aiocb *const list[], int n, bool *failed)
{
    progress();
    *failed = false;
    for (int i = 0; i < n; i++) {
        if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP) continue;
        if (list[i]->__error_code == EINPROGRESS) return false;
        *failed |= list[i]->__error_code != 0;
    }
    return true;
}

STAND_IN int lio_listio(int mode, struct aiocb *const list[], int n, struct sigevent *event)
{
    struct group *group = mode == LIO_NOWAIT && event ? malloc(sizeof *group) : NULL;
    bool failed;
    if (group) *group = (struct group){*event, 1};
    for (int i = 0; i < n; i++) {
        if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP) continue;
        if (group) group->left++;
        if (start(list[i], list[i]->aio_lio_opcode, group, HERE) != 0) return -1;
    }
    if (group && --group->left == 0) {
        notify(&group->event);
        free(group);
    }
    if (mode == LIO_NOWAIT) return 0;
    while (!all_done(list, n, &failed)) wait_for_files(-1);
    if (failed) errno = EIO;
    return failed ? -1 : 0;
}

/* ---- the same under the names of files of 64 bits, which are the same here ------------------- */

STAND_IN int aio_read64(struct aiocb64 *cb)
{
    return start((struct aiocb *)cb, LIO_READ, NULL, HERE);
}
STAND_IN int aio_write64(struct aiocb64 *cb)
{
    return start((struct aiocb *)cb, LIO_WRITE, NULL, HERE);
}
STAND_IN int aio_error64(const struct aiocb64 *cb) { return aio_error((const struct aiocb *)cb); }
STAND_IN ssize_t aio_return64(struct aiocb64 *cb) { return aio_return((struct aiocb *)cb); }
STAND_IN int aio_fsync64(int how, struct aiocb64 *cb) { return aio_fsync(how, (struct aiocb *)cb); }
STAND_IN int aio_cancel64(int file, struct aiocb64 *cb)
{
    return aio_cancel(file, (struct aiocb *)cb);
}
STAND_IN int aio_suspend64(const struct aiocb64 *const list[], int n,
                           const struct timespec *timeout)
{
    return aio_suspend((const struct aiocb *const *)list, n, timeout);
}
STAND_IN int lio_listio64(int mode, struct aiocb64 *const list[], int n, struct sigevent *event)
{
    return lio_listio(mode, (struct aiocb *const *)list, n, event);
}
