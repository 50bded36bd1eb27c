/* Sorting and searching: branches that depend on data. */
#include "suite.h"

/* Numbers, and room for a copy of them. */
static void numbers(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 8);
    int32_t *a = w->array[0] = make_array((size_t)n * 4);
    w->array[1] = make_array((size_t)n * 4);
    for (long i = 0; i < n; i++) a[i] = (int32_t)(random_bits() >> 33);
    w->n = w->elements = n;
}
static const int32_t *fresh(const struct work *w)
{
    const int32_t *from = w->array[0];
    int32_t *to = w->array[1];
    for (long i = 0; i < w->n; i++) to[i] = from[i];
    return to;
}

static void quick(int32_t *a, long low, long high)
{
    while (low < high) {
        int32_t pivot = a[(low + high) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                int32_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quick(a, low, j);
        low = i;
    }
}
static uint64_t quicksort(const struct work *w)
{
    const int32_t *a = fresh(w);
    quick(w->array[1], 0, w->n - 1);
    return (uint64_t)a[w->n / 2];
}
static void few(struct work *w, size_t bytes)
{
    (void)bytes;
    numbers(w, 512 * 8);
    w->elements = 512 * 512 / 4;
}
static uint64_t insertion(const struct work *w)
{
    const int32_t *sorted = fresh(w);
    int32_t *a = w->array[1];
    for (long i = 1; i < w->n; i++) {
        int32_t x = a[i];
        long j = i;
        for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
        a[j] = x;
    }
    return (uint64_t)sorted[w->n / 2];
}
static uint64_t heap(const struct work *w)
{
    fresh(w);
    int32_t *a = w->array[1];
    for (long top = w->n / 2, end = w->n; end > 1;) {
        int32_t x;
        if (top > 0)
            x = a[--top];
        else {
            x = a[--end];
            a[end] = a[0];
        }
        long i = top;
        for (long child; (child = 2 * i + 1) < end; i = child) {
            if (child + 1 < end && a[child + 1] > a[child]) child++;
            if (a[child] <= x) break;
            a[i] = a[child];
        }
        a[i] = x;
    }
    return (uint64_t)a[w->n / 2];
}
static uint64_t radix(const struct work *w)
{
    const int32_t *from = w->array[0];
    int32_t *to = w->array[1];
    long first[257] = {0};
    for (long i = 0; i < w->n; i++) first[(from[i] & 255) + 1]++;
    for (int b = 0; b < 256; b++) first[b + 1] += first[b];
    for (long i = 0; i < w->n; i++) to[first[from[i] & 255]++] = from[i];
    return (uint64_t)to[w->n / 2];
}

/* variants of each other: a search that branches, or that moves its base by a conditional move */
static void ordered(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 8);
    uint64_t *a = w->array[0] = make_array(bytes);
    for (long i = 0; i < n; i++) a[i] = (uint64_t)i * 2;
    w->n = n;
    w->elements = 20000;
}
static uint64_t search(const struct work *w)
{
    const uint64_t *a = w->array[0];
    uint64_t s = 0, x = 1;
    for (long i = 0; i < w->elements; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        uint64_t wanted = (x >> 32) % (2 * (uint64_t)w->n);
        long low = 0, high = w->n;
        while (low < high) {
            long middle = (low + high) / 2;
            if (a[middle] < wanted) {
                low = middle + 1;
                __asm__ volatile("" : "+r"(low)); /* a branch */
            } else
                high = middle;
        }
        s += (uint64_t)low;
    }
    return s;
}
static uint64_t search_moves(const struct work *w)
{
    const uint64_t *a = w->array[0];
    uint64_t s = 0, x = 1;
    for (long i = 0; i < w->elements; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        uint64_t wanted = (x >> 32) % (2 * (uint64_t)w->n);
        const uint64_t *base = a;
        for (long n = w->n; n > 1; n -= n / 2) base += base[n / 2 - 1] < wanted ? n / 2 : 0;
        s += (uint64_t)(base - a);
    }
    return s;
}

const struct kernel sorting[] = {
    {"quicksort", "12", numbers, quicksort},
    {"insertion", "1", few, insertion},
    {"heap", "12", numbers, heap},
    {"radix", "12", numbers, radix},
    {"search", "123", ordered, search},
    {"search_moves", "123", ordered, search_moves},
    {0},
};
