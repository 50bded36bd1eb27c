/* More ways to load (uninstrumented_loads.c): wide strings, paths, dates, MPI's arrays, vectors. */
#ifndef UNINSTRUMENTED_LOADS_MORE_H
#define UNINSTRUMENTED_LOADS_MORE_H

#include "uninstrumented_loads.h"

#include <glob.h>
#include <iconv.h>
#include <inttypes.h>
#include <stdarg.h>
#include <sys/statvfs.h>
#include <wordexp.h>

static unsigned long wide(const wchar_t *s) { return s ? bytes(s, wcslen(s) * sizeof *s) : 1; }
static int scanned(const char *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsscanf(s, format, args);
    va_end(args);
    return n;
}

/* strings */
WAY(with_strncasecmp, return strncasecmp(p->word, "NEW", 3) == 0;)
WAY(with_strncat, char s[64] = "a"; strncat(s, p->sentence, 20); return text(s);)
WAY(with_stpncpy, char s[64]; stpncpy(s, p->sentence, 64); return text(s);)
WAY(with_strndup, char *s = strndup(p->sentence, 5); unsigned long h = text(s); free(s); return h;)
WAY(with_strchrnul, return (unsigned long)(strchrnul(p->sentence, 't') - p->sentence);)
WAY(with_rawmemchr, return (size_t)((char *)rawmemchr(p->sentence, 's') - p->sentence);)
WAY(with_memmove, char s[32]; memmove(s, p->sentence, 32); return bytes(s, 32);)
WAY(with_mempcpy, char s[32]; mempcpy(s, p->sentence, 32); return bytes(s, 32);)
WAY(with_bcmp, return bcmp(p->word, "new", 4) == 0;)
WAY(with_bcopy, char s[32]; bcopy(p->sentence, s, 32); return bytes(s, 32);)
WAY(with_index, return text(index(p->sentence, 's'));)
WAY(with_rindex, return text(rindex(p->sentence, 's'));)
WAY(with_basename, return text(basename((char *)p->path));)
WAY(with_strtok, char s[64]; char *rest; strcpy(s, p->sentence);
    return text(strtok_r(s, "s", &rest)) + text(rest);)
WAY(with_asprintf_two, char *s; if (asprintf(&s, "%s %s", p->word, p->number) < 0) return 0;
    unsigned long h = text(s); free(s); return h;)
WAY(with_dprintf, return piped(dprintf(pair[1], "%s!", p->sentence));)
WAY(with_fmemopen, char s[32] = ""; FILE *f = fmemopen((void *)p->sentence, 20, "r");
    fgets(s, 32, f); fclose(f); return text(s);)
WAY(with_vsscanf, int n = 0; scanned(p->number, "%d", &n); return (unsigned long)n;)
WAY(with_sscanf_set, char s[32] = ""; sscanf(p->sentence, "%31[a-v]", s); return text(s);)
WAY(with_sscanf_format, char s[32] = ""; sscanf("new%old", p->format, s); int n = -1; char f[32];
    snprintf(f, sizeof f, "%s%%n", p->format); sscanf("new%", f, &n); return (unsigned long)n;)
/* numbers */
WAY(with_strtoull, return strtoull(p->number, NULL, 10);)
WAY(with_strtoimax, return (unsigned long)strtoimax(p->number, NULL, 10);)
WAY(with_strtoumax, return (unsigned long)strtoumax(p->number, NULL, 10);)
WAY(with_a64l, return (unsigned long)a64l(p->word);)
WAY(with_inet_aton, struct in_addr a = {0}; inet_aton(p->address, &a); return a.s_addr;)
WAY(with_inet_network, return inet_network(p->address);)
WAY(with_inet_ntop, char s[64] = ""; inet_ntop(AF_INET, p->longs + 1, s, 64); return text(s);)
/* wide strings */
WAY(with_swprintf, wchar_t s[64]; swprintf(s, 64, L"<%ls>", p->wide); return wide(s);)
WAY(with_swscanf, wchar_t s[64] = L""; swscanf(p->wide, L"%ls", s); return wide(s);)
WAY(with_wcscpy, wchar_t s[64]; wcscpy(s, p->wide); return wide(s);)
WAY(with_wcsncmp, return wcsncmp(p->wide, L"wide", 4) == 0;)
WAY(with_wcscasecmp, return wcscasecmp(p->wide, L"WIDE") == 0;)
WAY(with_wcschr, return wide(wcschr(p->wide, L'e'));)
WAY(with_wcsstr, return wide(wcsstr(p->wide, L"de"));)
WAY(with_wcsdup, wchar_t *s = wcsdup(p->wide); unsigned long h = wide(s); free(s); return h;)
WAY(with_wcsspn, return wcsspn(p->wide, L"wide");)
WAY(with_wcspbrk, return wide(wcspbrk(p->wide, L"ex"));)
WAY(with_wcscoll, return wcscoll(p->wide, L"wide") == 0;)
WAY(with_wcsnlen, return wcsnlen(p->wide, 8);)
WAY(with_wmemcpy, wchar_t s[8]; wmemcpy(s, p->wide, 8); return bytes(s, sizeof s);)
WAY(with_wmemcmp, return wmemcmp(p->wide, L"wide", 4) == 0;)
WAY(with_wmemchr, return wmemchr(p->wide, L'e', 8) != NULL;)
WAY(with_wcsrtombs, char s[32] = ""; const wchar_t *from = p->wide; mbstate_t m = {0};
    wcsrtombs(s, &from, 32, &m); return text(s);)
WAY(with_mbsrtowcs, wchar_t s[32] = L""; const char *from = p->word; mbstate_t m = {0};
    mbsrtowcs(s, &from, 32, &m); return wide(s);)
WAY(with_mbrtowc, wchar_t c = 0; mbstate_t m = {0}; mbrtowc(&c, p->word, 1, &m);
    return (unsigned long)c;)
WAY(with_iconv, iconv_t c = iconv_open("UTF-16LE", "ASCII"); char s[32] = {0}; char *out = s;
    char *in = (char *)p->word; size_t left = 3; size_t room = 32;
    iconv(c, &in, &left, &out, &room); iconv_close(c); return bytes(s, 32);)
/* paths, and what is sent */
WAY(with_lstat, struct stat s; return lstat(p->path, &s) == 0;)
WAY(with_fstatat, struct stat s; return fstatat(AT_FDCWD, p->path, &s, 0) == 0;)
WAY(with_statvfs, struct statvfs s; return statvfs(p->path, &s) == 0;)
WAY(with_faccessat, return faccessat(AT_FDCWD, p->path, R_OK, 0) == 0;)
WAY(with_openat, int f = openat(AT_FDCWD, p->path, O_RDONLY); if (f >= 0) close(f); return f >= 0;)
WAY(with_pathconf, return pathconf(p->path, _PC_NAME_MAX) > 0;)
WAY(with_glob, glob_t g; int found = glob(p->path, 0, NULL, &g); globfree(&g); return found == 0;)
WAY(with_wordexp, wordexp_t w; if (wordexp(p->sentence, &w, 0)) return 0;
    unsigned long h = text(w.we_wordv[w.we_wordc - 1]); wordfree(&w); return h;)
WAY(with_fnmatch_pattern, return fnmatch(p->word, "new", 0) == 0;)
WAY(with_sendto, return piped(sendto(pair[1], p->word, 16, 0, NULL, 0));)
WAY(with_sendmsg, struct iovec v = {(void *)p->word, 16};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1}; return piped(sendmsg(pair[1], &m, 0));)
WAY(with_pwritev, FILE *f = tmpfile(); char in[16] = {0}; struct iovec v = {(void *)p->word, 16};
    ssize_t n = pwritev(fileno(f), &v, 1, 0); n = pread(fileno(f), in, 16, 0); fclose(f);
    return bytes(in, 16) + (unsigned long)n;)
/* dates */
WAY(with_timegm, struct tm t = p->tm; return (unsigned long)timegm(&t);)
WAY(with_localtime, struct tm t; localtime_r(&p->date, &t); return (unsigned long)t.tm_year;)
WAY(with_wcsftime, wchar_t s[64] = L""; wcsftime(s, 64, L"%Y-%m", &p->tm); return wide(s);)
/* MPI's arrays */
WAY(with_type_struct, MPI_Datatype t; MPI_Datatype of[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Aint low; MPI_Aint extent; int one[4] = {1, 1, 1, 1};
    MPI_Type_create_struct(4, one, (MPI_Aint *)p->longs, of, &t);
    MPI_Type_get_extent(t, &low, &extent); MPI_Type_free(&t); return (unsigned long)extent;)
WAY(with_indexed_block, MPI_Datatype t; MPI_Aint low; MPI_Aint extent;
    MPI_Type_create_indexed_block(4, 1, (int *)p->more, MPI_INT, &t);
    MPI_Type_get_extent(t, &low, &extent); MPI_Type_free(&t); return (unsigned long)extent;)
WAY(with_subarray, MPI_Datatype t; MPI_Aint low; MPI_Aint extent; int one = 1; int zero = 0;
    MPI_Type_create_subarray(1, (int *)p->ints, &one, &zero, MPI_ORDER_C, MPI_INT, &t);
    MPI_Type_get_extent(t, &low, &extent); MPI_Type_free(&t); return (unsigned long)extent;)
WAY(with_allgatherv, int in[4096] = {0}; int out[1] = {77}; int one = 1;
    MPI_Allgatherv(out, 1, MPI_INT, in, &one, (int *)p->ints, MPI_INT, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_scatterv, int in = 0; int one = 1; int out[2048];
    for (int i = 0; i < 2048; i++) out[i] = i;
    MPI_Scatterv(out, &one, (int *)p->ints, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_SELF);
    return (unsigned long)in;)
WAY(with_allgather, int in[8];
    MPI_Allgather((int *)p->ints, 8, MPI_INT, in, 8, MPI_INT, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_isend, int in[8]; MPI_Request r[2];
    MPI_Isend((int *)p->ints, 8, MPI_INT, 0, 4, MPI_COMM_SELF, &r[0]);
    MPI_Irecv(in, 8, MPI_INT, 0, 4, MPI_COMM_SELF, &r[1]); MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    return bytes(in, sizeof in);)
WAY(with_unpack, int in[2] = {0}; int at = 0;
    MPI_Unpack((int *)p->ints, 32, &at, in, 2, MPI_INT, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_comm_name, char s[MPI_MAX_OBJECT_NAME]; int n; MPI_Comm c; MPI_Comm_dup(MPI_COMM_SELF, &c);
    MPI_Comm_set_name(c, (char *)p->sentence); MPI_Comm_get_name(c, s, &n); MPI_Comm_free(&c);
    return text(s);)
WAY(with_put, int to[8] = {0}; MPI_Win w;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
    MPI_Put((int *)p->ints, 8, MPI_INT, 0, 0, 8, MPI_INT, w); MPI_Win_unlock(0, w);
    MPI_Win_free(&w); return bytes(to, sizeof to);)
#if defined __x86_64__
#include <emmintrin.h>
WAY(with_loadu, int s[4];
    _mm_storeu_si128((__m128i *)(void *)s,
                     _mm_loadu_si128((const __m128i *)(const void *)(p->ints + 1)));
    return bytes(s, 16);)
WAY(with_compare_string, const void *a = p->word; const void *b = "new"; size_t n = 4; char same;
    __asm__ volatile("repe cmpsb; sete %3" : "+S"(a), "+D"(b), "+c"(n), "=q"(same) : : "memory",
                     "cc");
    return (unsigned long)same;)
#endif
#if defined __AVX2__
WAY(with_gather_long, __m256i index = _mm256_set_epi64x(3, 1, 2, 1); long long s[4];
    _mm256_storeu_si256((__m256i *)(void *)s,
                        _mm256_i64gather_epi64((const long long *)p->longs, index, 8));
    return bytes(s, sizeof s);)
WAY(with_maskload, int s[4];
    _mm_storeu_si128((__m128i *)(void *)s,
                     _mm_maskload_epi32(p->ints, _mm_set_epi32(-1, 0, -1, 0)));
    return bytes(s, 16);)
#endif

#endif
