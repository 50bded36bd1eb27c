/* Calls of C's, C++'s and gcc's libraries, each in a function of its own (calls.def), with usual
 * arguments. */
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <strings.h>
#include <unordered_map>

extern "C" {
double cabs(_Complex double), carg(_Complex double);
_Complex double cexp(_Complex double), clog(_Complex double), csqrt(_Complex double);
_Complex double cpow(_Complex double, _Complex double);
_Complex double __muldc3(double, double, double, double), __divdc3(double, double, double, double);
double __powidf2(double, int);
float __powisf2(float, int);
int __popcountdi2(long);
typedef __int128 wide_type;
typedef unsigned __int128 unsigned_type;
typedef __float128 quad_type;
wide_type __divti3(wide_type, wide_type), __modti3(wide_type, wide_type);
unsigned_type __udivti3(unsigned_type, unsigned_type), __umodti3(unsigned_type, unsigned_type);
double __floattidf(wide_type), __floatuntidf(unsigned_type);
float __floattisf(wide_type), __floatuntisf(unsigned_type);
wide_type __fixdfti(double);
unsigned_type __fixunsdfti(double);
quad_type __addtf3(quad_type, quad_type), __subtf3(quad_type, quad_type);
quad_type __multf3(quad_type, quad_type), __divtf3(quad_type, quad_type);
long __eqtf2(quad_type, quad_type), __netf2(quad_type, quad_type), __getf2(quad_type, quad_type);
long __gttf2(quad_type, quad_type), __letf2(quad_type, quad_type), __lttf2(quad_type, quad_type);
long __unordtf2(quad_type, quad_type);
quad_type __floatsitf(int), __floatditf(long), __floatunsitf(unsigned);
quad_type __floatunditf(unsigned long);
int __fixtfsi(quad_type);
long __fixtfdi(quad_type);
unsigned __fixunstfsi(quad_type);
unsigned long __fixunstfdi(quad_type);
quad_type __extendsftf2(float), __extenddftf2(double);
float __trunctfsf2(quad_type);
double __trunctfdf2(quad_type);
void *_Znwm(size_t), *_Znam(size_t), _ZdlPv(void *), _ZdaPv(void *);
void _ZdlPvm(void *, size_t), _ZdaPvm(void *, size_t);
int __isoc99_sscanf(const char *, const char *, ...);
/* members by the names that they have in object files */
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(void *),
    _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev(void *),
    _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev(void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_(void *, void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2ERKS4_(void *, void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_(void *, void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2EOS4_(void *, void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEaSEOS4_(void *, void *);
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_M_constructEmc(void *, size_t, char);
void _ZNSo9_M_insertIlEERSoT_(void *, long), _ZNSo9_M_insertImEERSoT_(void *, unsigned long);
void _ZNSo9_M_insertIbEERSoT_(void *, bool), _ZNSo9_M_insertIdEERSoT_(void *, double);
void _ZNSo9_M_insertIPKvEERSoT_(void *, void *), _ZNSi10_M_extractIlEERSiRT_(void *, long *);
void _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(void *, char *);
void _ZNSi10_M_extractImEERSiRT_(void *, long *), _ZNSi10_M_extractIdEERSiRT_(void *, double *);
void _ZNSt6localeC1Ev(void *), _ZNSt6localeD1Ev(void *);
void _ZNSt8ios_baseC2Ev(void *), _ZNSt8ios_baseD2Ev(void *);
}

static volatile double x = 1.3, y = 2.6, small = 0.3, r;
static volatile float xf = 1.3f, yf = 2.6f, rf;
static volatile long n;
static unsigned seed = 7;
static void *volatile p, *spare[5]; /* blocks of the heap, new in each round */
static _Complex double z;
static wide_type wide = (wide_type)1234567890123456789 << 40;
static quad_type quad = 1.25, third = 0.3, other_quad;
static char text[64] = "1234567", other[64] = "1234568", number[64] = "123.456", buffer[256];
static char words[64];
static FILE *file, *from;
static std::__detail::_Prime_rehash_policy policy;
static std::string line = "abc", word = "1234567", taken = "1234568", grown = "abc";
static std::ofstream sink("/dev/null");
static std::istringstream
    source("11 22 33 4.25 seven eight 11 22 33 4.25 seven eight 11 22 33 4.25 seven eight ");
static char room[512];
/* Room where a string stands whose text lies in itself. */
static inline __attribute__((always_inline)) void *spoilt()
{
    char *text_at = room + 16;
    memcpy(room, &text_at, sizeof text_at);
    return room;
}

static int vsnprintf_of(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, size, format, list);
    va_end(list);
    return length;
}

static void *create()
{
    size_t room = 40;
    return line._M_create(room, 0);
}

static __attribute__((noinline)) void throws()
{
    try {
        throw 7;
    } catch (int thrown) {
        n = thrown;
    }
}

#define CALL(name, ...)                                                                            \
    extern "C" __attribute__((noinline)) void call_##name(void) { __VA_ARGS__; }
#define CALL_ON_MEMORY             CALL
#define CALL_MORE(name, than, ...) CALL(name, __VA_ARGS__)
#include "calls.def"
#undef CALL

int main()
{
    file = fopen("/dev/null", "w");
    from = fopen("/proc/self/maps", "r");
    __real__ z = 1.3, __imag__ z = 0.4;
    strcpy(words, "one two three four five six seven");
    strtok(words, " ");
    free(malloc(24)); /* which the next malloc gets */
    for (int i = 0; i < 3; i++) {
        for (void *&block : spare) block = malloc(40);
#define CALL(name, ...) call_##name();
#include "calls.def"
    }
}
