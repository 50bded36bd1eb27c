/* kern/parts: what a simulated time is made of: so many seconds of it by each of the machine's
 * numbers, named by the address of the field. Models note them where they charge a rank or set a
 * date; kern/cause keeps them with its nodes; the critical path adds them up. So it is known from
 * one run what its time hangs on, and by how much.
 *
 * Off unless the critical path is asked for. Notes change no time. What is noted for a stretch is
 * at most the stretch: more than that happened at once, and is scaled down.
 */
#ifndef KERN_PARTS_H
#define KERN_PARTS_H

#include "base/base.h"

enum { KERN_PARTS = 64 }; /* different numbers of one run; of further ones nothing is known */

extern bool kern_parts_on;
/* Not numbers of a machine: stalls on caches, bus and memory, undivided. */
extern const double kern_parts_memory;

struct kern_parts {
    double time_s[KERN_PARTS];
};
struct kern_part {
    const double *of;
    double time_s;
};
/* Those that are not 0; the caller frees it with g_free. */
struct kern_parts_list {
    int parts;
    struct kern_part part[];
};

void kern_parts_add(struct kern_parts *to, const double *of, double seconds);
/* The number at that place of time_s; NULL: none, nor behind it. */
const double *kern_parts_of(int i);
int kern_parts_number(const double *of); /* that place; KERN_PARTS: there are too many */

/* Of the date that the running context sets next. Less than 0: so much earlier than all else says.
 */
void kern_parts_note(const double *of, double seconds);
void kern_parts_more(const struct kern_parts *parts); /* all of these */
/* The same, of what is not noted of so many seconds. */
void kern_parts_rest(const double *of, double seconds);
/* What that rank owes now: a date that it sets now comes so much later. */
void kern_parts_owed(const struct kern_parts *owed, int rank, double now_s);
/* Stretches what is noted to so many seconds. */
void kern_parts_fill(double seconds);
void kern_parts_forget(void); /* what is noted */
/* Adds what is noted. */
void kern_parts_noted(struct kern_parts *to);
/* What is noted, and owed by that rank now (-1: none), for a stretch of so many seconds; NULL:
 * nothing. Nothing is noted afterwards. */
struct kern_parts_list *kern_parts_take(double seconds, int rank, double now_s);
/* What was added since `then`, so many seconds ago. */
struct kern_parts_list *kern_parts_since(const struct kern_parts *now,
                                         const struct kern_parts *then, double seconds);
/* Adds a share of the list; NULL: nothing. */
void kern_parts_join(struct kern_parts *to, const struct kern_parts_list *list, double share);
void kern_parts_clear(void);

#endif
