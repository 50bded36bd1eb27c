/* Instructions that are called by name: vectors that stream, gather, scatter, are packed, or move
 * lanes under a mask. Each prints a hash of what memory then holds. `intrinsics NAME` runs one of
 * them ROUNDS times, so that its loads and stores can be counted. The first part needs -mavx2, the
 * second -mavx512bw and its kin. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, ROUNDS = 100 };
_Alignas(64) double from[N], to[N];
_Alignas(64) float from_f[2 * N], to_f[2 * N];
_Alignas(64) int from_i[2 * N], to_i[2 * N];
_Alignas(64) char from_c[8 * N], to_c[8 * N];
_Alignas(64) int at[16] = {3, 1, 60, 7, 7, 12, 33, 2, 8, 9, 10, 50, 49, 48, 20, 21};
_Alignas(64) long long at_l[8] = {5, 62, 1, 1, 40, 30, 20, 10};

#define HERE static __attribute__((noinline)) void

HERE nothing(void) { __asm__(""); }
HERE stream_ps(void) { _mm_stream_ps(to_f, _mm_loadu_ps(from_f + 1)); }
HERE stream_pd256(void) { _mm256_stream_pd(to, _mm256_loadu_pd(from + 3)); }
HERE stream_si128(void) { _mm_stream_si128((__m128i *)to_i, _mm_set1_epi32(from_i[3])); }
HERE stream_int(void) { _mm_stream_si32(to_i + 5, from_i[4]); }
HERE stream_long(void) { _mm_stream_si64((long long *)to_i + 3, from_i[4]); }
HERE stream_load(void)
{
    _mm_store_si128((__m128i *)to_i, _mm_stream_load_si128((__m128i *)from_i));
}
HERE unaligned(void) { _mm_store_si128((__m128i *)to_c, _mm_lddqu_si128((__m128i *)(from_c + 3))); }
HERE halves(void)
{
    __m128d two = _mm_loadh_pd(_mm_set1_pd(7), from + 9);
    two = _mm_add_pd(two, _mm_loadl_pd(two, from + 11));
    _mm_storeu_pd(to + 1, two);
    __m128 four = _mm_loadl_pi(_mm_set1_ps(3), (__m64 *)(from_f + 5));
    four = _mm_add_ps(four, _mm_loadh_pi(four, (__m64 *)(from_f + 9)));
    _mm_storel_pi((__m64 *)(to_f + 3), four);
    _mm_storeh_pi((__m64 *)(to_f + 7), four);
}
HERE mask_store(void)
{
    _mm256_maskstore_ps(to_f + 1, _mm256_setr_epi32(-1, 0, 1, -5, 0, -1, 7, -1),
                        _mm256_loadu_ps(from_f));
}
HERE mask_store_long(void)
{
    _mm_maskstore_epi64((long long *)to, _mm_set_epi64x(-1, 1), _mm_set1_epi64x(99));
}
HERE mask_load(void)
{
    __m256i mask = _mm256_cmpgt_epi32(_mm256_load_si256((__m256i *)at), _mm256_set1_epi32(5));
    _mm256_store_si256((__m256i *)to_i, _mm256_maskload_epi32(from_i + 1, mask));
}
HERE mask_bytes(void)
{
    _mm_maskmoveu_si128(_mm_load_si128((__m128i *)from_c),
                        _mm_cmpgt_epi8(_mm_load_si128((__m128i *)from_c), _mm_set1_epi8(6)),
                        to_c + 5);
}
HERE gather_float(void)
{
    _mm_store_ps(to_f, _mm_i32gather_ps(from_f, _mm_load_si128((__m128i *)at), 4));
}
HERE gather_double(void)
{
    _mm256_store_pd(to, _mm256_i32gather_pd(from, _mm_load_si128((__m128i *)at), 8));
}
HERE gather_two(void)
{
    _mm_store_ps(to_f, _mm_i64gather_ps(from_f, _mm_load_si128((__m128i *)at_l), 4));
}
HERE gather_mask(void)
{
    __m256d mask = _mm256_cmp_pd(_mm256_loadu_pd(from + 2), _mm256_set1_pd(3.5), _CMP_GT_OQ);
    _mm256_store_pd(to, _mm256_mask_i64gather_pd(_mm256_set1_pd(-4), from,
                                                 _mm256_load_si256((__m256i *)at_l), mask, 8));
}
HERE gather_bytes(void)
{
    _mm_store_si128((__m128i *)to_i,
                    _mm_i32gather_epi32((int *)(from_c + 1), _mm_load_si128((__m128i *)at), 1));
}
HERE loop_gathers(void)
{
    for (int i = 0; i < 16; i++) to[i] = from[at[i]];
}

#ifdef __AVX512BW__
HERE stream_512(void) { _mm512_stream_pd(to, _mm512_loadu_pd(from + 1)); }
HERE bits_load(void) { _mm512_store_pd(to, _mm512_maskz_loadu_pd((__mmask8)from_i[7], from + 1)); }
HERE bits_load_over(void)
{
    __m512i over = _mm512_set1_epi32(55);
    _mm512_store_si512(to_i, _mm512_mask_loadu_epi32(over, (__mmask16)from_i[90], from_i));
}
HERE bits_store(void)
{
    _mm512_mask_storeu_epi8(to_c + 3, 0x8000f0000000000fULL, _mm512_loadu_si512(from_c));
}
HERE bits_aligned(void)
{
    _mm512_mask_store_epi64(to, (__mmask8)0x81, _mm512_maskz_load_epi64(0x8f, from));
}
HERE one_lane(void)
{
    __m128d one = _mm_mask_load_sd(_mm_set1_pd(2), (__mmask8)(from_i[2] & 1), from + 8);
    _mm_mask_store_sd(to + 3, (__mmask8)(from_i[2] & 1), one);
}
HERE packed(void)
{
    _mm512_mask_compressstoreu_pd(to, (__mmask8)0xb2, _mm512_loadu_pd(from));
    _mm512_store_pd(to + 8,
                    _mm512_mask_expandloadu_pd(_mm512_set1_pd(1), (__mmask8)from_i[90], from));
}
HERE scatter(void)
{
    _mm512_i32scatter_ps(to_f, _mm512_load_si512(at), _mm512_loadu_ps(from_f), 4);
    _mm512_mask_i64scatter_pd(to, (__mmask8)from_i[91], _mm512_load_si512(at_l),
                              _mm512_loadu_pd(from), 8);
}
HERE gather_512(void)
{
    _mm512_store_ps(to_f, _mm512_i32gather_ps(_mm512_load_si512(at), from_f, 4));
    _mm256_store_pd(to, _mm256_mmask_i32gather_pd(_mm256_set1_pd(5), (__mmask8)from_i[9],
                                                  _mm_load_si128((__m128i *)at), from, 8));
}
HERE loop_scatters(void)
{
    for (int i = 0; i < 16; i++) to[at[i]] = from[i];
}
#endif

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {
    {"nothing", nothing},
    {"stream_ps", stream_ps},
    {"stream_pd256", stream_pd256},
    {"stream_si128", stream_si128},
    {"stream_int", stream_int},
    {"stream_long", stream_long},
    {"stream_load", stream_load},
    {"unaligned", unaligned},
    {"halves", halves},
    {"mask_store", mask_store},
    {"mask_store_long", mask_store_long},
    {"mask_load", mask_load},
    {"mask_bytes", mask_bytes},
    {"gather_float", gather_float},
    {"gather_double", gather_double},
    {"gather_two", gather_two},
    {"gather_mask", gather_mask},
    {"gather_bytes", gather_bytes},
    {"loop_gathers", loop_gathers},
#ifdef __AVX512BW__
    {"stream_512", stream_512},
    {"bits_load", bits_load},
    {"bits_load_over", bits_load_over},
    {"bits_store", bits_store},
    {"bits_aligned", bits_aligned},
    {"one_lane", one_lane},
    {"packed", packed},
    {"scatter", scatter},
    {"gather_512", gather_512},
    {"loop_scatters", loop_scatters},
#endif
};

static unsigned sum(const void *of, size_t bytes)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const unsigned char *)of)[i]) * 16777619u;
    return hash;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++) from[i] = i * 1.25;
    for (int i = 0; i < 2 * N; i++) from_f[i] = (float)i * 0.5f, from_i[i] = 3 * i + 1;
    for (int i = 0; i < 8 * N; i++) from_c[i] = (char)(i % 13);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (argc > 1 && strcmp(argv[1], "list") == 0) {
            puts(all[i].name);
        } else if (argc > 1) {
            if (strcmp(argv[1], all[i].name) != 0) continue;
            for (int round = 0; round < ROUNDS; round++) all[i].run();
        } else {
            memset(to, 1, sizeof to);
            memset(to_f, 2, sizeof to_f);
            memset(to_i, 3, sizeof to_i);
            memset(to_c, 4, sizeof to_c);
            all[i].run();
            printf("%s %08x %08x %08x %08x\n", all[i].name, sum(to, sizeof to),
                   sum(to_f, sizeof to_f), sum(to_i, sizeof to_i), sum(to_c, sizeof to_c));
        }
    }
    return 0;
}
