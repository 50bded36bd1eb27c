/* Stand-ins for functions that touch the program's memory. Each jumps to probe, which takes the
 * return address for the place. */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

STAND_IN void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return probe_calls.memcpy(to, from, n);
}
STAND_IN void *mempcpy(void *restrict to, const void *restrict from, size_t n);
STAND_IN void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return probe_calls.mempcpy(to, from, n);
}
STAND_IN void *memmove(void *to, const void *from, size_t n)
{
    return probe_calls.memmove(to, from, n);
}
STAND_IN void *memset(void *to, int byte, size_t n) { return probe_calls.memset(to, byte, n); }
STAND_IN int memcmp(const void *a, const void *b, size_t n) { return probe_calls.memcmp(a, b, n); }
STAND_IN void *memchr(const void *s, int byte, size_t n) { return probe_calls.memchr(s, byte, n); }
STAND_IN void *memmem(const void *in, size_t n, const void *part, size_t m);
STAND_IN void *memmem(const void *in, size_t n, const void *part, size_t m)
{
    return probe_calls.memmem(in, n, part, m);
}
STAND_IN void *memrchr(const void *s, int byte, size_t n);
STAND_IN void *memrchr(const void *s, int byte, size_t n)
{
    return probe_calls.memrchr(s, byte, n);
}
STAND_IN void *rawmemchr(const void *s, int byte);
STAND_IN void *rawmemchr(const void *s, int byte) { return probe_calls.rawmemchr(s, byte); }
STAND_IN void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n)
{
    return probe_calls.memccpy(to, from, byte, n);
}
STAND_IN void bcopy(const void *from, void *to, size_t n) { probe_calls.memmove(to, from, n); }
STAND_IN void bzero(void *to, size_t n) { probe_calls.memset(to, 0, n); }
STAND_IN int bcmp(const void *a, const void *b, size_t n) { return probe_calls.memcmp(a, b, n); }

STAND_IN size_t strlen(const char *s) { return probe_calls.strlen(s); }
STAND_IN size_t strnlen(const char *s, size_t n) { return probe_calls.strnlen(s, n); }
STAND_IN char *strcpy(char *restrict to, const char *restrict from)
{
    return probe_calls.strcpy(to, from);
}
STAND_IN char *stpcpy(char *restrict to, const char *restrict from)
{
    return probe_calls.stpcpy(to, from);
}
STAND_IN char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    return probe_calls.strncpy(to, from, n);
}
STAND_IN char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    return probe_calls.stpncpy(to, from, n);
}
STAND_IN char *strcat(char *restrict to, const char *restrict from)
{
    return probe_calls.strcat(to, from);
}
STAND_IN char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    return probe_calls.strncat(to, from, n);
}
STAND_IN int strcmp(const char *a, const char *b) { return probe_calls.strcmp(a, b); }
STAND_IN int strncmp(const char *a, const char *b, size_t n)
{
    return probe_calls.strncmp(a, b, n);
}
STAND_IN int strcasecmp(const char *a, const char *b) { return probe_calls.strcasecmp(a, b); }
STAND_IN int strncasecmp(const char *a, const char *b, size_t n)
{
    return probe_calls.strncasecmp(a, b, n);
}
STAND_IN char *strchr(const char *s, int c) { return probe_calls.strchr(s, c); }
STAND_IN char *strrchr(const char *s, int c) { return probe_calls.strrchr(s, c); }
STAND_IN char *index(const char *s, int c) { return probe_calls.strchr(s, c); }
STAND_IN char *rindex(const char *s, int c) { return probe_calls.strrchr(s, c); }
STAND_IN char *strchrnul(const char *s, int c);
STAND_IN char *strchrnul(const char *s, int c) { return probe_calls.strchrnul(s, c); }
STAND_IN char *strstr(const char *s, const char *part) { return probe_calls.strstr(s, part); }
STAND_IN char *strcasestr(const char *s, const char *part);
STAND_IN char *strcasestr(const char *s, const char *part)
{
    return probe_calls.strcasestr(s, part);
}
STAND_IN size_t strspn(const char *s, const char *accepted)
{
    return probe_calls.strspn(s, accepted);
}
STAND_IN size_t strcspn(const char *s, const char *rejected)
{
    return probe_calls.strcspn(s, rejected);
}
STAND_IN char *strpbrk(const char *s, const char *sought) { return probe_calls.strpbrk(s, sought); }
STAND_IN char *strdup(const char *s) { return probe_calls.strdup(s); }
STAND_IN char *strndup(const char *s, size_t n) { return probe_calls.strndup(s, n); }
STAND_IN char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest)
{
    return probe_calls.strtok_r(s, delimiters, rest);
}
STAND_IN char *strtok(char *restrict s, const char *restrict delimiters)
{
    static char *rest; /* each rank's own */
    return probe_calls.strtok_r(s, delimiters, &rest);
}

STAND_IN char *strsep(char **restrict rest, const char *restrict delimiters)
{
    return probe_calls.strsep(rest, delimiters);
}

STAND_IN void qsort(void *base, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    probe_calls.qsort(base, n, bytes, compare);
}
STAND_IN size_t fread(void *restrict to, size_t bytes, size_t n, FILE *restrict file)
{
    return probe_calls.fread(to, bytes, n, file);
}
STAND_IN size_t fwrite(const void *restrict from, size_t bytes, size_t n, FILE *restrict file)
{
    return probe_calls.fwrite(from, bytes, n, file);
}
STAND_IN char *fgets(char *restrict to, int n, FILE *restrict file)
{
    return probe_calls.fgets(to, n, file);
}
STAND_IN ssize_t getdelim(char **restrict line, size_t *restrict room, int delimiter,
                          FILE *restrict file)
{
    return probe_calls.getdelim(line, room, delimiter, file);
}
/* What getline becomes where <stdio.h> may put functions in line. */
STAND_IN ssize_t __getdelim(char **restrict line, size_t *restrict room, int delimiter,
                            FILE *restrict file)
{
    return probe_calls.getdelim(line, room, delimiter, file);
}
STAND_IN ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict file)
{
    return probe_calls.getdelim(line, room, '\n', file);
}
STAND_IN int fputs(const char *restrict s, FILE *restrict file)
{
    return probe_calls.fputs(s, file);
}
STAND_IN ssize_t read(int file, void *to, size_t n) { return probe_calls.read(file, to, n); }
STAND_IN ssize_t write(int file, const void *from, size_t n)
{
    return probe_calls.write(file, from, n);
}
STAND_IN ssize_t writev(int file, const struct iovec *piece, int pieces)
{
    return probe_calls.writev(file, piece, pieces);
}
STAND_IN int munmap(void *p, size_t n) { return probe_calls.munmap(p, n); }
STAND_IN int madvise(void *p, size_t n, int advice) { return probe_calls.madvise(p, n, advice); }
