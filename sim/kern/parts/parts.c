/* Numbers of the machine are numbered as they come. */
#include "kern/parts/parts.h"

#include <math.h>

bool kern_parts_on;
const double kern_parts_memory = 0;

static const double *number[KERN_PARTS];
static int numbers;
static struct kern_parts noted;
static struct {
    int rank;
    double now_s;
    struct kern_parts owed;
} last = {.rank = -1}; /* who looked at what it owes last */

int kern_parts_number(const double *of)
{
    for (int i = 0; i < numbers; i++)
        if (number[i] == of) return i;
    if (numbers < KERN_PARTS) number[numbers++] = of;
    return number[numbers - 1] == of ? numbers - 1 : KERN_PARTS;
}

void kern_parts_add(struct kern_parts *to, const double *of, double seconds)
{
    const int i = seconds != 0 ? kern_parts_number(of) : KERN_PARTS;
    if (i < KERN_PARTS) to->time_s[i] += seconds;
}

static double sum_of(const struct kern_parts *parts)
{
    double sum_s = 0;
    for (int i = 0; i < numbers; i++) sum_s += parts->time_s[i];
    return sum_s;
}

const double *kern_parts_of(int i) { return i < numbers ? number[i] : NULL; }

void kern_parts_note(const double *of, double seconds)
{
    if (kern_parts_on) kern_parts_add(&noted, of, seconds);
}

void kern_parts_rest(const double *of, double seconds)
{
    if (kern_parts_on) kern_parts_add(&noted, of, fmax(0, seconds - sum_of(&noted)));
}

void kern_parts_owed(const struct kern_parts *owed, int rank, double now_s)
{
    last.rank = rank;
    last.now_s = now_s;
    last.owed = *owed;
}

void kern_parts_fill(double seconds)
{
    const double sum_s = sum_of(&noted);
    for (int i = 0; sum_s > 0 && i < numbers; i++) noted.time_s[i] *= seconds / sum_s;
}

void kern_parts_forget(void)
{
    if (kern_parts_on) noted = (struct kern_parts){0};
}

static void add_all(struct kern_parts *to, const struct kern_parts *parts)
{
    for (int i = 0; i < numbers; i++) to->time_s[i] += parts->time_s[i];
}

void kern_parts_more(const struct kern_parts *parts)
{
    if (kern_parts_on) add_all(&noted, parts);
}

void kern_parts_noted(struct kern_parts *to) { add_all(to, &noted); }

/* What sums have not lost. */
#define NOTHING 1e-18

static bool is_there(double seconds) { return fabs(seconds) > NOTHING; }

static struct kern_parts_list *list_of(const struct kern_parts *parts, double share)
{
    int found = 0;
    for (int i = 0; i < numbers; i++) found += is_there(parts->time_s[i]);
    if (found == 0) return NULL;
    struct kern_parts_list *list = g_malloc(sizeof *list + (gsize)found * sizeof list->part[0]);
    list->parts = 0;
    for (int i = 0; i < numbers; i++)
        if (is_there(parts->time_s[i]))
            list->part[list->parts++] = (struct kern_part){number[i], share * parts->time_s[i]};
    return list;
}

struct kern_parts_list *kern_parts_take(double seconds, int rank, double now_s)
{
    if (!kern_parts_on) return NULL;
    if (rank >= 0 && last.rank == rank && last.now_s == now_s) add_all(&noted, &last.owed);
    const double sum_s = sum_of(&noted);
    struct kern_parts_list *list =
        seconds > 0 ? list_of(&noted, sum_s > seconds ? seconds / sum_s : 1) : NULL;
    noted = (struct kern_parts){0};
    return list;
}

struct kern_parts_list *kern_parts_since(const struct kern_parts *now,
                                         const struct kern_parts *then, double seconds)
{
    struct kern_parts more = *now;
    for (int i = 0; i < numbers; i++) more.time_s[i] -= then->time_s[i];
    const double sum_s = sum_of(&more);
    return list_of(&more, sum_s > seconds ? seconds / sum_s : 1);
}

void kern_parts_join(struct kern_parts *to, const struct kern_parts_list *list, double share)
{
    for (int i = 0; list && i < list->parts; i++)
        kern_parts_add(to, list->part[i].of, share * list->part[i].time_s);
}

void kern_parts_clear(void)
{
    numbers = 0;
    noted = (struct kern_parts){0};
    last.rank = -1;
    kern_parts_on = false;
}
