/* The rest of the ways to load (uninstrumented_loads.c): files by name, dates, sets of signals,
 * addresses of sockets, arrays that MPI is given. */
#ifndef UNINSTRUMENTED_LOADS_REST_H
#define UNINSTRUMENTED_LOADS_REST_H

#include "uninstrumented_loads.h"

#include <argz.h>
#include <errno.h>
#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <netdb.h>
#include <signal.h>
#include <sys/time.h>

/* ---- files ----------------------------------------------------------------------------------- */

WAY(with_opendir, errno = 0; opendir(p->path); return (unsigned)errno;)
WAY(with_readlink, char s[64]; errno = 0; readlink(p->path, s, 64); return (unsigned)errno;)
WAY(with_euidaccess, return euidaccess(p->path, F_OK) == 0;)
WAY(with_chdir, errno = 0; chdir(p->path); return (unsigned)errno;)
WAY(with_truncate, errno = 0; truncate(p->path, 0); return errno == ENOENT;)
WAY(with_link, errno = 0; link(p->path, "/"); return (unsigned)errno;)
WAY(with_utimes, struct timeval t[2] = {{0, 2000000}, {0, 2000000}}; errno = 0; utimes(p->path, t);
    return (unsigned)errno;)
WAY(with_statx, struct statx s; return statx(AT_FDCWD, p->path, 0, STATX_MODE, &s) == 0;)
WAY(with_scandir, struct dirent **d; errno = 0; scandir(p->path, &d, NULL, NULL);
    return (unsigned)errno;)
static int stop(const char *path, const struct stat *s, int flag)
{
    (void)path;
    (void)s;
    return flag == FTW_F ? 7 : 8;
}
WAY(with_ftw, return (unsigned)ftw(p->path, stop, 4);)
WAY(with_freopen, FILE *f = fopen("/dev/zero", "r"); f = freopen(p->path, "r", f); if (f) fclose(f);
    return f != NULL;)
WAY(with_fwrite_unlocked, char *out = NULL; size_t n; FILE *f = open_memstream(&out, &n);
    fwrite_unlocked(p->sentence, 1, 8, f); fclose(f); unsigned long h = text(out); free(out);
    return h;)
WAY(with_fputws, wchar_t *out = NULL; size_t n; FILE *f = open_wmemstream(&out, &n);
    fputws(p->wide, f); fclose(f); unsigned long h = bytes(out, n * sizeof *out); free(out);
    return h;)
WAY(with_fwprintf, wchar_t *out = NULL; size_t n; FILE *f = open_wmemstream(&out, &n);
    fwprintf(f, L"%s %ls", p->word, p->wide); fclose(f);
    unsigned long h = bytes(out, n * sizeof *out); free(out); return h;)
WAY(with_fputs_unlocked, char *out = NULL; size_t n; FILE *f = open_memstream(&out, &n);
    fputs_unlocked(p->word, f); fclose(f); unsigned long h = text(out); free(out); return h;)
WAY(with_cookie, FILE *f = fmemopen((void *)p->sentence, 16, "r"); char s[8] = {0};
    fread(s, 1, 7, f); fclose(f); return text(s);)

/* ---- numbers and strings --------------------------------------------------------------------- */

WAY(with_nan, double x = nan(p->number); return bytes(&x, sizeof x);)
WAY(with_mbtowc, wchar_t c; mbtowc(&c, p->word, 3); return (unsigned)c;)
WAY(with_mbsnrtowcs, wchar_t s[40]; const char *from = p->sentence; mbstate_t state = {0};
    mbsnrtowcs(s, &from, 12, 40, &state); s[12] = 0; return bytes(s, 12 * sizeof *s);)
WAY(with_wcsnrtombs, char s[40] = {0}; const wchar_t *from = p->wide; mbstate_t state = {0};
    wcsnrtombs(s, &from, 4, 40, &state); return text(s);)
WAY(with_wcrtomb, char s[8] = {0}; wcrtomb(s, p->wide[3], &(mbstate_t){0}); return text(s);)
WAY(with_wcsxfrm, wchar_t s[32]; return wcsxfrm(s, p->wide, 32) + bytes(s, 16);)
WAY(with_wcsrchr, return (unsigned long)(wcsrchr(p->wide, L'd') - p->wide) + wcslen(p->wide);)
WAY(with_wcpcpy, wchar_t s[16]; return (size_t)(wcpcpy(s, p->wide) - s);)
WAY(with_wcpncpy, wchar_t s[16]; return (size_t)(wcpncpy(s, p->wide, 16) - s);)
WAY(with_wcscat, wchar_t s[16] = L"a"; wcscat(s, p->wide); return wcslen(s);)
WAY(with_wcsncat, wchar_t s[16] = L"a"; wcsncat(s, p->wide, 8); return wcslen(s);)
WAY(with_wcscspn, return wcscspn(p->wide, L"z");)
WAY(with_wcsncasecmp, return wcsncasecmp(p->wide, L"WIDE", 4) == 0;)
WAY(with_wmemmove, wchar_t s[8]; wmemmove(s, p->wide, 8); return bytes(s, sizeof s);)
WAY(with_strcoll_long, return strcoll(p->sentence, "m") > 0;)
WAY(with_strsep, char s[32]; strcpy(s, "one new old"); char *at = s;
    return text(strsep(&at, p->word));)
WAY(with_strtok_r, char s[32]; strcpy(s, "for old newt"); char *at; strtok_r(s, p->word, &at);
    return text(at);)
WAY(with_argz, char *z = NULL; size_t n = 0; argz_create_sep(p->sentence, ' ', &z, &n);
    unsigned long h = bytes(z, n); free(z); return h;)
WAY(with_argz_next, return text(argz_next((char *)p->sentence, 24, NULL));)
WAY(with_getsubopt, static char *const names[] = {"old", "new", NULL}; char s[16]; strcpy(s, "new");
    char *at = s; char *value; (void)names; char *const mine[] = {(char *)p->word, NULL};
    return (unsigned)getsubopt(&at, mine, &value);)
WAY(with_strerror_width, return printed("%.2s", p->sentence);)
WAY(with_printed_width, char s[64]; snprintf(s, 64, "%2$s %1$d", 5, p->word); return text(s);)
WAY(with_printf_words, char s[64]; snprintf(s, 64, "%ls", p->wide); return text(s);)
WAY(with_syslog_format, char s[64]; snprintf(s, 64, p->format); return text(s);)

/* ---- dates and signals ----------------------------------------------------------------------- */

WAY(with_ctime_r, char s[32]; return text(ctime_r(&p->date, s));)
WAY(with_asctime_r, char s[32]; return text(asctime_r(&p->tm, s));)
WAY(with_gmtime_r, struct tm t; gmtime_r(&p->date, &t); return (unsigned)t.tm_year;)
WAY(with_sigismember, return (unsigned)sigismember((const sigset_t *)&p->longs[1], 6);)
WAY(with_sigorset, sigset_t s; sigset_t empty; sigemptyset(&empty);
    sigorset(&s, (const sigset_t *)&p->longs[1], &empty); return bytes(&s, 8);)
/* ---- names and sockets ----------------------------------------------------------------------- */

WAY(with_getaddrinfo, struct addrinfo *found; struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    if (getaddrinfo(p->address, NULL, &hints, &found) != 0) return 1;
    unsigned long h = bytes(found->ai_addr, 8); freeaddrinfo(found); return h;)
WAY(with_setsockopt, int n; socklen_t size = sizeof n;
    setsockopt(pair[0], SOL_SOCKET, SO_SNDLOWAT, &p->ints[0], sizeof(int));
    setsockopt(pair[0], SOL_SOCKET, SO_RCVLOWAT, &p->ints[0], sizeof(int));
    getsockopt(pair[0], SOL_SOCKET, SO_RCVLOWAT, &n, &size);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVLOWAT, &(int){1}, sizeof(int)); return (unsigned)n;)
/* ---- MPI ------------------------------------------------------------------------------------- */

WAY(with_bcast, int x[8]; memcpy(x, p->ints, sizeof x);
    MPI_Bcast((int *)p->ints, 8, MPI_INT, 0, MPI_COMM_SELF); return bytes(x, sizeof x);)
WAY(with_gather_mpi, int in[8]; MPI_Gather(p->ints, 8, MPI_INT, in, 8, MPI_INT, 0, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_scatter, int in[8]; MPI_Scatter(p->ints, 8, MPI_INT, in, 8, MPI_INT, 0, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_scan, int in[8]; MPI_Scan(p->ints, in, 8, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_reduce, int in[8]; MPI_Reduce(p->ints, in, 8, MPI_INT, MPI_MAX, 0, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_reduce_local, int in[8] = {0}; MPI_Reduce_local(p->ints, in, 8, MPI_INT, MPI_SUM);
    return bytes(in, sizeof in);)
WAY(with_reduce_scatter, int in[8];
    MPI_Reduce_scatter_block(p->ints, in, 8, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_ireduce, int in[8]; MPI_Request r;
    MPI_Iallreduce(p->ints, in, 8, MPI_INT, MPI_SUM, MPI_COMM_SELF, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE); return bytes(in, sizeof in);)
WAY(with_sendrecv_replace, int in[8]; MPI_Request r;
    MPI_Irecv(in, 8, MPI_INT, 0, 5, MPI_COMM_SELF, &r);
    MPI_Ssend(p->ints, 8, MPI_INT, 0, 5, MPI_COMM_SELF); MPI_Wait(&r, MPI_STATUS_IGNORE);
    return bytes(in, sizeof in);)
WAY(with_send_init, int in[8]; MPI_Request r[2];
    MPI_Recv_init(in, 8, MPI_INT, 0, 6, MPI_COMM_SELF, &r[0]);
    MPI_Send_init(p->ints, 8, MPI_INT, 0, 6, MPI_COMM_SELF, &r[1]); MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); MPI_Request_free(&r[0]); MPI_Request_free(&r[1]);
    return bytes(in, sizeof in);)
WAY(with_pack_external, char out[64] = {0}; MPI_Aint at = 0;
    MPI_Pack_external("external32", (int *)p->ints, 8, MPI_INT, out, 64, &at);
    return bytes(out, 32);)
WAY(with_hindexed_block, MPI_Datatype t; MPI_Aint low; MPI_Aint extent;
    MPI_Type_create_hindexed_block(4, 1, (MPI_Aint *)p->longs, MPI_INT, &t);
    MPI_Type_get_extent(t, &low, &extent); MPI_Type_free(&t); return (unsigned long)extent;)
WAY(with_alltoallw, int out[4096]; int in[4096]; int zero = 0; MPI_Datatype t = MPI_INT;
    memset(in, 0, sizeof in); memset(out, 1, sizeof out);
    MPI_Alltoallw(out, (int *)p->ints, &zero, &t, in, (int *)p->ints, &zero, &t, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_info_key, MPI_Info i; char s[8]; int flag; MPI_Info_create(&i);
    MPI_Info_set(i, "new", "v"); MPI_Info_get(i, (char *)p->word, 7, s, &flag); MPI_Info_free(&i);
    return (unsigned)flag;)
WAY(with_accumulate, int to[8] = {0}; MPI_Win w;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
    MPI_Accumulate(p->ints, 8, MPI_INT, 0, 0, 8, MPI_INT, MPI_SUM, w); MPI_Win_unlock(0, w);
    MPI_Win_free(&w); return bytes(to, sizeof to);)
WAY(with_fetch_and_op, int to[8] = {0}; int was; MPI_Win w;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
    MPI_Fetch_and_op(p->ints, &was, MPI_INT, 0, 0, MPI_REPLACE, w); MPI_Win_unlock(0, w);
    MPI_Win_free(&w); return (unsigned)to[0];)
WAY(with_compare_and_swap, int to[8] = {1000}; int was; MPI_Win w;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
    MPI_Compare_and_swap((int *)p->more, (int *)p->ints, &was, MPI_INT, 0, 0, w);
    MPI_Win_unlock(0, w); MPI_Win_free(&w); return (unsigned)to[0];)

#endif
