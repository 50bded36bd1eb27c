/* report/text, inside: the sections about findings. Not a door. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "findings/findings.h"
#include "report/places/places.h"
#include "report/print/print.h"
#include "report/run/run.h"

/* Of the time of all ranks: less is not worth a sentence. Of a rank's calls at one line: so many
 * are many. */
#define REPORT_SENTENCE_SHARE 0.05
#define REPORT_BUSY           0.5 /* of the time: what is busy so long may be what limits */
enum { REPORT_MANY_CALLS = 10 };

/* What to look at first; the worst lines. */
void report_first(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_where(const struct report_run *run, FILE *out, const struct report_ink *ink);
double report_time_of_all(const struct report_run *run);
char *report_cause_said(const struct report_cause *cause);
/* " Busiest was the interface of node 0, sending: 87 % of the time." What moves bytes, busy for
 * that share of the time at least; "": none is, as far as is known. */
char *report_busiest(const struct report_run *run, double least);
/* "" of none */
const char *report_plural(uint64_t n, const char *one, const char *many);
/* Sentences at the top: each with the time that it is about; its text is taken. Put, what costs
 * most comes first. Free with g_array_unref. */
GArray *report_first_new(void);
void report_first_add(GArray *first, double time_s, char *text);
void report_first_put(GArray *first, double all_s, FILE *out);
void report_first_say(const char *text, FILE *out);
/* The cause of most of the waits at a line; NULL: none is known. */
const struct report_cause *report_cause_at(const GArray *causes, const char *at);
/* Sentences of no time: what was found wrong; the slowest rank. False: there is none. */
bool report_first_findings(const struct report_run *run, FILE *out);
bool report_first_rank(const struct report_run *run, FILE *out);
/* Where the program's own loads and stores, or a call's, stalled most. contended: the sentence
 * below is there. */
void report_stalls_first(const struct report_run *run, GArray *first, const GArray *calls,
                         bool contended, double all_s);
/* Calls in vain, operations a few bytes long that one could be, servicing. Calls of which something
 * was said are marked. */
void report_calls_first(const struct report_run *run, GArray *first, GArray *calls,
                        const GArray *causes, double all_s);
/* Loops that ask for the same bytes again and again. Calls and lines of which something was said
 * are marked. */
void report_asked_first(const struct report_run *run, GArray *first, GArray *calls, GArray *lines,
                        double all_s);
/* Branches predicted wrongly, divisions: the same of lines. */
void report_operations_first(const struct report_run *run, GArray *first, GArray *lines,
                             double all_s);
/* Cache lines that processors contend for: a sentence, if there is one worth it; the rows. */
void report_contended_first(const struct report_run *run, GArray *first, double all_s);
void report_contended_rows(const struct report_run *run, FILE *out, const struct report_ink *ink,
                           double all_s);
/* Locks for which ranks queue: the same. `where` and `held`, as part of the sentence, say in which
 * call and for whom, "" where another sentence does. False: there is none. */
bool report_locks_first(const struct report_run *run, GArray *first, double all_s,
                        const char *where, const char *held);
void report_locks_rows(const struct report_run *run, FILE *out, const struct report_ink *ink,
                       double all_s);
/* Only if it was asked for. */
void report_critical_path(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_traffic(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_stale(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_notes(const struct report_run *run, FILE *out, const struct report_ink *ink);
void report_violations(const struct report_run *run, FILE *out, const struct report_ink *ink);

/* A loaded value as a person would write it, both sides alike: " 1 (0x00000001)". */
void report_values(const uint8_t *seen, const uint8_t *memory, uint32_t bytes, char **seen_text,
                   char **memory_text);

#endif
