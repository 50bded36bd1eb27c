/* Ways in which the C library, MPI and inline assembly load from where they are pointed to
 * (uninstrumented_loads.c). */
#ifndef UNINSTRUMENTED_LOADS_H
#define UNINSTRUMENTED_LOADS_H

#include "check.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <regex.h>
#include <search.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct item {
    char number[16], real[16], word[16], sentence[32], path[16], format[16], address[16];
    int ints[8], more[8];
    long longs[4];
    double doubles[4];
    wchar_t wide[8];
    time_t date;
    struct tm tm;
};

/* What a way found, in a number; strings by their bytes. */
static unsigned long text(const char *s)
{
    unsigned long h = 5381;
    while (s && *s) h = h * 33 + (unsigned char)*s++;
    return h;
}
static unsigned long bytes(const void *from, size_t n)
{
    unsigned long h = 5381;
    for (size_t i = 0; i < n; i++) h = h * 33 + ((const unsigned char *)from)[i];
    return h;
}
static unsigned long real(double x) { return bytes(&x, sizeof x); }
static unsigned long printed(const char *format, const void *what)
{
    char *out = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    fprintf(f, format, what);
    fclose(f);
    unsigned long h = text(out);
    free(out);
    return h;
}
static int pair[2]; /* a pipe and a pair of sockets to write to, and what comes out */
static unsigned long piped(ssize_t n)
{
    char in[64] = {0};
    if (n <= 0 || n > 64 || read(pair[0], in, (size_t)n) != n) return (unsigned long)n;
    return bytes(in, (size_t)n);
}
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

struct way {
    const char *name;
    unsigned long (*way)(const struct item *p);
};
extern const struct way *const __start_ways[], *const __stop_ways[];

#define WAY(name, ...)                                                                             \
    static __attribute__((noinline)) unsigned long name(const struct item *p) { __VA_ARGS__ }      \
    static const struct way way_##name = {#name, name};                                            \
    static const struct way *const in_##name __attribute__((section("ways"), used)) = &way_##name;
WAY(with_printf, return printed("%s", p->word);)
WAY(with_printf_width, return printed("%12.4s|", p->sentence);)
WAY(with_format, return printed(p->format, p);)
WAY(with_wide_printf, return printed("%ls", p->wide);)
WAY(with_snprintf, char s[64]; snprintf(s, sizeof s, "<%s>", p->sentence); return text(s);)
WAY(with_sprintf, char s[64]; sprintf(s, "%s", p->number); return text(s);)
WAY(with_asprintf, char *s; if (asprintf(&s, "%s", p->word) < 0) return 0;
    unsigned long h = text(s); free(s); return h;)
WAY(with_atoi, return (unsigned long)atoi(p->number);)
WAY(with_atol, return (unsigned long)atol(p->number);)
WAY(with_atoll, return (unsigned long)atoll(p->number);)
WAY(with_atof, return real(atof(p->real));)
WAY(with_strtol, return (unsigned long)strtol(p->number, NULL, 10);)
WAY(with_strtoul, return strtoul(p->number, NULL, 16);)
WAY(with_strtoll, return (unsigned long)strtoll(p->number, NULL, 0);)
WAY(with_strtod, return real(strtod(p->real, NULL));)
WAY(with_strtof, return real(strtof(p->real, NULL));)
WAY(with_strtold, return real((double)strtold(p->real, NULL));)
WAY(with_sscanf_int, int n = 0; sscanf(p->number, "%d", &n); return (unsigned long)n;)
WAY(with_sscanf_real, double x = 0; sscanf(p->real, "%lf", &x); return real(x);)
WAY(with_sscanf_word, char w[32] = ""; sscanf(p->sentence, "%*s %*s %31s", w); return text(w);)
WAY(with_strlen, return strlen(p->sentence);)
WAY(with_strnlen, return strnlen(p->sentence, 32);)
WAY(with_strcmp, return strcmp(p->word, "new") == 0;)
WAY(with_strncmp, return strncmp(p->word, "new", 3) == 0;)
WAY(with_strcasecmp, return strcasecmp(p->word, "NEW") == 0;)
WAY(with_strcoll, return strcoll(p->word, "new") == 0;)
WAY(with_strverscmp, return strverscmp(p->number, "2000") > 0;)
WAY(with_strxfrm, char s[64]; strxfrm(s, p->word, sizeof s); return text(s);)
WAY(with_strcpy, char s[64]; strcpy(s, p->sentence); return text(s);)
WAY(with_stpcpy, char s[64]; stpcpy(s, p->sentence); return text(s);)
WAY(with_strncpy, char s[64]; strncpy(s, p->sentence, 64); return text(s);)
WAY(with_strcat, char s[64] = "a"; strcat(s, p->word); return text(s);)
WAY(with_strdup, char *s = strdup(p->sentence); unsigned long h = text(s); free(s); return h;)
WAY(with_strchr, return text(strchr(p->sentence, 's'));)
WAY(with_strrchr, return text(strrchr(p->sentence, 's'));)
WAY(with_strstr, return text(strstr(p->sentence, "st"));)
WAY(with_strcasestr, return text(strcasestr(p->sentence, "ST"));)
WAY(with_strspn, return strspn(p->sentence, "abcdefghijkl");)
WAY(with_strcspn, return strcspn(p->sentence, "stu");)
WAY(with_strpbrk, return text(strpbrk(p->sentence, "stu"));)
WAY(with_memcmp, return memcmp(p->word, "new", 4) == 0;)
WAY(with_memchr, return memchr(p->word, 'w', sizeof p->word) != NULL;)
WAY(with_memrchr, return memrchr(p->word, 'w', sizeof p->word) != NULL;)
WAY(with_memmem, return memmem(p->sentence, 32, "st", 2) != NULL;)
WAY(with_memcpy, char s[16]; memcpy(s, p->word, 16); return bytes(s, 16);)
WAY(with_memccpy, char s[32] = ""; memccpy(s, p->sentence, 's', 32); return text(s);)
WAY(with_swab, char s[16]; swab(p->word, s, 16); return bytes(s, 16);)
WAY(with_wcslen, return wcslen(p->wide);)
WAY(with_wcscmp, return wcscmp(p->wide, L"wide") == 0;)
WAY(with_wcstombs, char s[32] = ""; wcstombs(s, p->wide, 32); return text(s);)
WAY(with_mbstowcs, wchar_t s[32] = L""; mbstowcs(s, p->word, 32); return bytes(s, sizeof s);)
WAY(with_write, return piped(write(pair[1], p->word, 16));)
WAY(with_writev, struct iovec v = {(void *)p->word, 16}; return piped(writev(pair[1], &v, 1));)
WAY(with_send, return piped(send(pair[1], p->word, 16, 0));)
WAY(with_fwrite, char *out = NULL; size_t n; FILE *f = open_memstream(&out, &n);
    fwrite(p->word, 16, 1, f); fclose(f); unsigned long h = bytes(out, n); free(out); return h;)
WAY(with_fputs, char *out = NULL; size_t n; FILE *f = open_memstream(&out, &n);
    fputs(p->sentence, f); fclose(f); unsigned long h = text(out); free(out); return h;)
WAY(with_pwrite, FILE *f = tmpfile(); char in[16] = {0};
    ssize_t n = pwrite(fileno(f), p->word, 16, 0); n = pread(fileno(f), in, 16, 0); fclose(f);
    return bytes(in, 16) + (unsigned long)n;)
WAY(with_open, int f = open(p->path, O_RDONLY); if (f >= 0) close(f); return f >= 0;)
WAY(with_fopen, FILE *f = fopen(p->path, "r"); if (f) fclose(f); return f != NULL;)
WAY(with_stat, struct stat s; return stat(p->path, &s) == 0;)
WAY(with_access, return access(p->path, R_OK) == 0;)
WAY(with_realpath, char *s = realpath(p->path, NULL); unsigned long h = text(s); free(s); return h;)
WAY(with_getenv, return getenv(p->word) != NULL;)
WAY(with_setenv, setenv("UNINSTRUMENTED", p->word, 1); return text(getenv("UNINSTRUMENTED"));)
WAY(with_bsearch, static const int in[] = {2, 3, 1000, 1500, 2000};
    return bsearch(p->ints, in, 5, sizeof *in, by_int) != NULL;)
WAY(with_lfind, size_t n = 8; int key = 1000;
    return lfind(&key, p->ints, &n, sizeof(int), by_int) != NULL;)
WAY(with_strftime, char s[64] = ""; strftime(s, sizeof s, "%Y-%m-%d", &p->tm); return text(s);)
WAY(with_asctime, char s[64] = ""; asctime_r(&p->tm, s); return text(s);)
WAY(with_gmtime, struct tm t; gmtime_r(&p->date, &t); return (unsigned long)t.tm_year;)
WAY(with_ctime, char s[64]; setenv("TZ", "UTC", 1); return text(ctime_r(&p->date, s));)
WAY(with_strptime, struct tm t = {0}; strptime(p->number, "%Y", &t); return (unsigned)t.tm_year;)
WAY(with_inet_pton, struct in_addr a = {0}; inet_pton(AF_INET, p->address, &a); return a.s_addr;)
WAY(with_inet_addr, return inet_addr(p->address);)
WAY(with_fnmatch, return fnmatch("n*", p->word, 0) == 0;)
WAY(with_regcomp, regex_t r; if (regcomp(&r, p->word, 0)) return 2;
    int found = regexec(&r, "a new one", 0, NULL, 0); regfree(&r); return found == 0;)
WAY(with_regexec, regex_t r; if (regcomp(&r, "ce$", 0)) return 2;
    int found = regexec(&r, p->sentence, 0, NULL, 0); regfree(&r); return found == 0;)
WAY(with_type_indexed, MPI_Datatype t; int size;
    MPI_Type_indexed(4, (int *)p->ints, (int *)p->more, MPI_INT, &t); MPI_Type_size(t, &size);
    MPI_Type_free(&t); return (unsigned)size;)
WAY(with_type_hindexed, MPI_Datatype t; MPI_Aint low, extent;
    static const int one[4] = {1, 1, 1, 1};
    MPI_Type_create_hindexed(4, (int *)one, (MPI_Aint *)p->longs, MPI_INT, &t);
    MPI_Type_get_extent(t, &low, &extent); MPI_Type_free(&t); return (unsigned long)extent;)
WAY(with_info_set, MPI_Info i; char s[32] = ""; int flag; MPI_Info_create(&i);
    MPI_Info_set(i, "key", (char *)p->word); MPI_Info_get(i, "key", 31, s, &flag);
    MPI_Info_free(&i); return text(s);)
WAY(with_group_incl, MPI_Group all, some; int n; MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int *)p->more, &some); int zero = 0;
    MPI_Group_translate_ranks(some, 1, &zero, all, &n); MPI_Group_free(&some); MPI_Group_free(&all);
    return (unsigned)n;)
WAY(with_alltoallv, int out[4096] = {0}, in[4096] = {0}, zero = 0;
    for (int i = 0; i < 4096; i++) out[i] = i + 1;
    MPI_Alltoallv(out, (int *)p->ints, &zero, MPI_INT, in, (int *)p->ints, &zero, MPI_INT,
                  MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_gatherv, int in[4096] = {0}, out[1] = {77}, one = 1;
    MPI_Gatherv(out, 1, MPI_INT, in, &one, (int *)p->ints, MPI_INT, 0, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_allreduce, int in[8];
    MPI_Allreduce((int *)p->ints, in, 8, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    return bytes(in, sizeof in);)
WAY(with_pack, char s[64]; int at = 0;
    MPI_Pack((int *)p->ints, 8, MPI_INT, s, 64, &at, MPI_COMM_SELF); return bytes(s, (size_t)at);)
WAY(with_sendrecv, int in[8]; MPI_Sendrecv((int *)p->ints, 8, MPI_INT, 0, 1, in, 8, MPI_INT, 0, 1,
                                           MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return bytes(in, sizeof in);)
#if defined __x86_64__
WAY(with_assembly, long x; __asm__ volatile("movq (%1), %0" : "=r"(x) : "r"(p->longs + 1));
    return (unsigned long)x;)
WAY(with_assembly_string, char s[16]; const void *from = p->word; void *to = s; size_t n = 16;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n) : : "memory");
    return bytes(s, 16);)
#endif
#if defined __AVX2__
#include <immintrin.h>
WAY(with_gather, __m128i index = _mm_set_epi32(3, 2, 1, 0); int s[4];
    _mm_storeu_si128((__m128i *)s, _mm_i32gather_epi32(p->ints, index, 4)); return bytes(s, 16);)
#endif

#endif
