/* Calls of Fortran's library, each in a function of its own (fortran.def), as gfortran makes them.
 */
#include <cstddef>
#include <cstdlib>

extern "C" {
/* libgfortran; what READ and WRITE are called with begins as its st_parameter_dt */
struct transfer {
    int flags, unit;
    const char *file;
    int line;
    void *unused[7];
    const char *format;
    size_t format_bytes, advance_bytes;
    const char *advance;
    char *internal;
    size_t internal_bytes;
    char rest[800];
};
void _gfortran_st_write(transfer *), _gfortran_st_write_done(transfer *);
void _gfortran_st_read(transfer *), _gfortran_st_read_done(transfer *);
void _gfortran_transfer_integer_write(transfer *, void *, int);
void _gfortran_transfer_real_write(transfer *, void *, int);
void _gfortran_transfer_logical_write(transfer *, void *, int);
void _gfortran_transfer_character_write(transfer *, void *, size_t);
void _gfortran_transfer_integer(transfer *, void *, int);
void _gfortran_transfer_real(transfer *, void *, int);
void _gfortran_transfer_logical(transfer *, void *, int);
void _gfortran_transfer_character(transfer *, void *, size_t);
int _gfortran_compare_string(size_t, const char *, size_t, const char *);
void _gfortran_concat_string(size_t, char *, size_t, const char *, size_t, const char *);
size_t _gfortran_string_len_trim(size_t, const char *);
void _gfortran_string_trim(size_t *, void **, size_t, const char *);
size_t _gfortran_string_index(size_t, const char *, size_t, const char *, int);
size_t _gfortran_string_scan(size_t, const char *, size_t, const char *, int);
size_t _gfortran_string_verify(size_t, const char *, size_t, const char *, int);
void _gfortran_adjustl(char *, size_t, const char *),
    _gfortran_adjustr(char *, size_t, const char *);
/* an array's descriptor: libgfortran/libgfortran.h */
struct array {
    double *base;
    size_t offset, element;
    int version;
    signed char rank, type;
    short attribute;
    long span;
    struct {
        long stride, lower, upper;
    } dim[2];
};
void _gfortran_matmul_r8(array *, array *, array *, int, int, void *);
int _gfortran_pow_i4_i4(int, int);
long _gfortran_pow_i8_i4(long, int);
void _gfortran_random_r8(double *), _gfortran_random_r4(float *);
}

static volatile float rf;
static volatile double r;
static volatile long n;
static char text[64] = "1234567", other[64] = "1234568", buffer[256];
enum { HAS_FORMAT = 1 << 12, HAS_INTERNAL_UNIT = 1 << 14, STANDARD_OUTPUT = 6 };
static const char written[] = "(i8,f12.4,a,l3)", read_as[] = "(i8,f8.3,a,l1)";
static char padded[] = "  1234567   ", record[] = "    4711 123.456abcT";
static void *trimmed;
static transfer formatted = {.flags = HAS_FORMAT,
                             .unit = STANDARD_OUTPUT,
                             .file = "calls",
                             .format = written,
                             .format_bytes = sizeof written - 1},
                internal,
                reading = {.flags = HAS_FORMAT | HAS_INTERNAL_UNIT,
                           .unit = -1,
                           .file = "calls",
                           .format = read_as,
                           .format_bytes = sizeof read_as - 1,
                           .internal = record,
                           .internal_bytes = sizeof record - 1};

static double left[4 * 36], right[36 * 4], made[4 * 4];
static inline __attribute__((always_inline)) array matrix(double *base, long rows, long columns)
{
    enum { REAL = 3 };
    return {base, 0, 8, 0, 2, REAL, 0, 8, {{1, 0, rows - 1}, {rows, 0, columns - 1}}};
}

#define CALL(name, ...)                                                                            \
    extern "C" __attribute__((noinline)) void call_##name(void) { __VA_ARGS__; }
#define CALL_ON_MEMORY             CALL
#define CALL_MORE(name, than, ...) CALL(name, __VA_ARGS__)
#include "fortran.def"
#undef CALL

int main()
{
    for (int i = 0; i < 3; i++) {
#define CALL(name, ...) call_##name();
#include "fortran.def"
#undef CALL
    }
}
