/* The representation "external32" (MPI-3.1 13.5.2): highest byte first, IEEE numbers, and sizes of
 * its own: longs have 4 bytes, wide characters 2, long doubles 16. One element of a datatype is its
 * predefined ones in the order of its type map, without gaps.
 */
#include "dialect/mpi/type/compose.h"

#include <string.h>

enum kind { NUMBER, SIGNED, WIDE };

/* A number of a predefined datatype: where it lies, its bytes here and there. */
struct number {
    int64_t at;
    int native, external;
    enum kind kind;
};

/* Most are one number; complex ones and pairs are two. */
struct form {
    int numbers;
    struct number number[2];
};

static struct number number_of(int64_t at, size_t bytes)
{
    return (struct number){at, (int)bytes, (int)bytes, NUMBER};
}

static struct form form_of(MPI_Datatype basic)
{
    struct form form = {1, {number_of(0, dialect_type_find(basic)->one.bytes)}};
#define BASIC(handle, ctype, is)                                                                   \
    if (basic == (handle) && #is[0] == 'C')                                                        \
        form = (struct form){                                                                      \
            2,                                                                                     \
            {number_of(0, sizeof(ctype) / 2), number_of(sizeof(ctype) / 2, sizeof(ctype) / 2)}};
#define PAIR(handle, value_type, index_type)                                                       \
    if (basic == (handle)) {                                                                       \
        struct pair {                                                                              \
            value_type value;                                                                      \
            index_type index;                                                                      \
        };                                                                                         \
        form = (struct form){2,                                                                    \
                             {number_of(0, sizeof(value_type)),                                    \
                              number_of(offsetof(struct pair, index), sizeof(index_type))}};       \
    }
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    for (int i = 0; i < form.numbers; i++) {
        struct number *n = &form.number[i];
        const bool both = basic == MPI_2LONG || basic == MPI_C_LONG_DOUBLE_COMPLEX;
        if (i > 0 && !both) continue;
        if (basic == MPI_LONG || basic == MPI_LONG_INT || basic == MPI_2LONG)
            n->external = 4, n->kind = SIGNED;
        else if (basic == MPI_UNSIGNED_LONG)
            n->external = 4;
        else if (basic == MPI_WCHAR)
            n->external = 2;
        else if (basic == MPI_LONG_DOUBLE || basic == MPI_LONG_DOUBLE_INT ||
                 basic == MPI_C_LONG_DOUBLE_COMPLEX)
            n->external = 16, n->kind = WIDE;
    }
    return form;
}

static int bytes_of(const struct form *form)
{
    return form->number[0].external + (form->numbers > 1 ? form->number[1].external : 0);
}

uint64_t dialect_external_bytes(const struct dialect_type *type, int64_t count)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < dialect_runs_of(type); i++) {
        const struct dialect_run run = dialect_run_of(type, i);
        const struct form form = form_of(run.basic);
        bytes += run.count * (uint64_t)bytes_of(&form);
    }
    return bytes * (uint64_t)MAX(count, 0);
}

static void reverse(char *to, const char *from, int bytes)
{
    for (int i = 0; i < bytes; i++) to[i] = from[bytes - 1 - i];
}

static void write_number(const struct number *n, const char *from, char *to)
{
    long double value;
    __float128 quad;
    if (n->kind != WIDE) {
        reverse(to, from + n->at, n->external); /* of the lowest bytes */
        return;
    }
    memcpy(&value, from + n->at, sizeof value);
    quad = value;
    reverse(to, (const char *)&quad, n->external);
}

static void read_number(const struct number *n, char *to, const char *from)
{
    __float128 quad;
    if (n->kind == WIDE) {
        reverse((char *)&quad, from, n->external);
        const long double value = (long double)quad;
        memcpy(to + n->at, &value, sizeof value);
        return;
    }
    const bool negative = n->kind == SIGNED && from[0] < 0;
    memset(to + n->at, negative ? 0xff : 0, (size_t)n->native);
    reverse(to + n->at, from, n->external);
}

void dialect_external(const struct dialect_type *type, int64_t count, char *buf, char *external,
                      bool out)
{
    for (int64_t e = 0; e < count; e++)
        for (uint32_t i = 0; i < dialect_runs_of(type); i++) {
            const struct dialect_run run = dialect_run_of(type, i);
            const uint64_t size = dialect_type_find(run.basic)->one.bytes;
            const struct form form = form_of(run.basic);
            for (uint64_t k = 0; k < run.count; k++) {
                char *at = buf + e * type->extent + run.offset + (int64_t)(k * size);
                for (int m = 0; m < form.numbers; m++) {
                    if (out)
                        write_number(&form.number[m], at, external);
                    else
                        read_number(&form.number[m], at, external);
                    external += form.number[m].external;
                }
            }
        }
}
