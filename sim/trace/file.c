/* The trace, written: a line for each operation, interval and event. */
#include "trace/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The fields of each kind of line, all on one line, by which programs find them; columns of
 * operations stand in the order of struct op_trail. */
static const char head[] =
    "# What a run did, a record a line, read by: sidewinder trace FILE. Times are simulated\n"
    "# seconds from the start. In texts, per cent signs, commas and line ends are written %XX.\n"
    "# A place is the number of a line 'place' above; 0: not known.\n"
    "# run,version,machine,program,ranks,nodes\n"
    "# rank,rank,node\n"
    "# place,place,text\n"
    "# put|get|accumulate|get_accumulate,origin,target,bytes,call,carrier,place,"
    "called_s,departed_s,arrived_s,serviced_s,performed_s,completed_s\n"
    "#     one operation, when it is complete; a step it did not take is empty. Operations are\n"
    "#     numbered from 1 in the order of their lines.\n"
    "# compute|memory|service|wait,rank,from_s,to_s,call,place\n"
    "#     what a rank did; the call it was inside and where, if any. Lines of one rank follow\n"
    "#     each other in time without gaps, to the rank's end; their sums are the report's.\n"
    "#     Charges are paid in bulk: between two calls, waits or servicings stands first the\n"
    "#     computing, then the memory stalls.\n"
    "# send|receive,node,from_s,to_s\n"
    "#     when the node's network interface was busy\n"
    "# "
    "stale|violation|lost|sharing,rank,time_s,place,other_rank,other_call,other_place,memory,text\n"
    "#     a stale load and who had written newer bytes; a violation; a lost update; a cache\n"
    "#     line for which processors contend. A load that keeps missing the same write is one\n"
    "#     line.\n"
    "# film,number,memory,places\n"
    "# step,film,rank,time_s,place,old,text,values\n"
    "#     copies of watched bytes after each step, in the order of the film's places, separated\n"
    "#     by ';'; old: bit i, the copy at place i is old\n"
    "# cause,rank,from_s,to_s,why,other_rank,other_place\n"
    "#     a stretch of a wait of that rank, and the one cause that was last to be ready; the\n"
    "#     other rank, if any, and where it acted\n"
    "# path,why,rank,from_s,to_s,place,to_place\n"
    "#     a piece of the critical path, the run's last first; run: the rank ran from one call to\n"
    "#     another; else why the next one waited\n"
    "# variable,memory,name,load_s,store_s,missed,stale,moves,operations\n"
    "#     what loads and stores of all ranks waited for data of a variable, and what they missed\n"
    "#     by level of cache, separated by ';'\n"
    "# end,ended|deadlock|aborted,time_s\n";

bool trace_on;

static struct {
    FILE *file;
    const char *(*place)(op_site site);
    GHashTable *numbers; /* op_site -> number of its line */
} trace;

const char *trace_activity_name(enum trace_activity activity)
{
    static const char *const names[TRACE_ACTIVITIES] = {"compute", "memory", "service",
                                                        "wait",    "send",   "receive"};
    return names[activity];
}

const char *trace_event_name(enum trace_event_kind kind)
{
    static const char *const names[TRACE_EVENT_KINDS] = {"stale", "violation", "lost", "sharing"};
    return names[kind];
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void text(const char *value)
{
    for (const char *c = value ? value : ""; *c; c++)
        if (*c == '%' || *c == ',' || (unsigned char)*c < ' ')
            fprintf(trace.file, "%%%02X", (unsigned char)*c);
        else
            putc(*c, trace.file);
}

/* Never the locale's decimal comma; 15 digits keep picoseconds for a quarter of an hour. Negative:
 * not reached. */
static void seconds(double value)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (value >= 0) g_ascii_formatd(number, sizeof number, "%.15g", value);
    fputs(number, trace.file);
}

/* The number of a place; written before the line that speaks of it. */
static unsigned place_number(op_site site)
{
    if (site == 0) return 0;
    unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(trace.numbers, &site));
    if (number) return number;
    number = g_hash_table_size(trace.numbers) + 1;
    g_hash_table_insert(trace.numbers, g_memdup2(&site, sizeof site), GUINT_TO_POINTER(number));
    fprintf(trace.file, "place,%u,", number);
    text(trace.place ? trace.place(site) : "?");
    putc('\n', trace.file);
    return number;
}

/* ---- lines ----------------------------------------------------------------------------------- */

void trace_file_operation(const struct op_trail *trail)
{
    unsigned place = place_number(trail->site);
    fprintf(trace.file, "%s,%d,%d,%" G_GUINT64_FORMAT ",", op_kind_name(trail->kind), trail->origin,
            trail->target, (guint64)trail->bytes);
    text(trail->call);
    putc(',', trace.file);
    text(trail->carrier);
    fprintf(trace.file, ",%u", place);
    for (int step = 0; step < OP_STEPS; step++) {
        putc(',', trace.file);
        seconds(trail->at_s[step]);
    }
    putc('\n', trace.file);
}

void trace_file_interval(const struct trace_interval *interval)
{
    unsigned place = place_number(interval->site);
    fprintf(trace.file, "%s,%d,", trace_activity_name(interval->activity), interval->of);
    seconds(interval->from_s);
    putc(',', trace.file);
    seconds(interval->to_s);
    if (interval->activity < TRACE_SEND) {
        putc(',', trace.file);
        text(interval->call);
        fprintf(trace.file, ",%u", place);
    }
    putc('\n', trace.file);
}

void trace_event(const struct trace_event *event)
{
    unsigned place = place_number(event->site), other = place_number(event->other_site);
    fprintf(trace.file, "%s,%d,", trace_event_name(event->kind), event->rank);
    seconds(event->time_s);
    fprintf(trace.file, ",%u,%d,", place, event->other_rank);
    text(event->other_call);
    fprintf(trace.file, ",%u,", other);
    text(event->memory);
    putc(',', trace.file);
    text(event->text);
    putc('\n', trace.file);
}

static void list(const char *const *texts)
{
    for (const char *const *one = texts; *one; one++) {
        if (one != texts) putc(';', trace.file);
        text(*one);
    }
}

void trace_film(const struct trace_film *film)
{
    fprintf(trace.file, "film,%d,", film->number);
    text(film->memory);
    putc(',', trace.file);
    list(film->places);
    putc('\n', trace.file);
}

void trace_step(const struct trace_step *step)
{
    unsigned place = place_number(step->site);
    fprintf(trace.file, "step,%d,%d,", step->film, step->rank);
    seconds(step->time_s);
    fprintf(trace.file, ",%u,%" G_GUINT64_FORMAT ",", place, (guint64)step->old);
    text(step->text);
    putc(',', trace.file);
    list(step->values);
    putc('\n', trace.file);
}

void trace_wait(const struct trace_wait *wait)
{
    unsigned other = place_number(wait->other_site);
    fprintf(trace.file, "cause,%d,", wait->rank);
    seconds(wait->from_s);
    putc(',', trace.file);
    seconds(wait->to_s);
    fprintf(trace.file, ",%s,%d,%u\n", wait->why, wait->other_rank, other);
}

void trace_piece(const struct trace_piece *piece)
{
    unsigned place = place_number(piece->site), to = place_number(piece->to_site);
    fprintf(trace.file, "path,%s,%d,", piece->why, piece->rank);
    seconds(piece->from_s);
    putc(',', trace.file);
    seconds(piece->to_s);
    fprintf(trace.file, ",%u,%u\n", place, to);
}

void trace_variable(const struct trace_variable *v)
{
    fputs("variable,", trace.file);
    text(v->memory);
    putc(',', trace.file);
    text(v->name);
    putc(',', trace.file);
    seconds(MAX(v->load_s, 0));
    putc(',', trace.file);
    seconds(MAX(v->store_s, 0));
    for (int level = 0; level < TRACE_LEVELS; level++)
        fprintf(trace.file, "%c%" G_GUINT64_FORMAT, level ? ';' : ',', (guint64)v->missed[level]);
    fprintf(trace.file, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\n",
            (guint64)v->stale, (guint64)v->moves, (guint64)v->operations);
}

void trace_file_end(const char *how, double time_s)
{
    fprintf(trace.file, "end,%s,", how);
    seconds(time_s);
    putc('\n', trace.file);
}

void trace_leave(void)
{
    if (trace.file) close(fileno(trace.file));
}

/* ---- life ------------------------------------------------------------------------------------ */

bool trace_file_open(const char *path, const struct trace_about *about)
{
    trace.file = fopen(path, "w");
    if (!trace.file) return false;
    trace.place = about->place;
    trace.numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    trace_on = true;
    fprintf(trace.file, "sidewinder trace %d\n%srun,", TRACE_VERSION, head);
    text(about->version);
    putc(',', trace.file);
    text(about->machine);
    putc(',', trace.file);
    text(about->program);
    fprintf(trace.file, ",%d,%d\n", about->ranks, about->nodes);
    for (int rank = 0; rank < about->ranks; rank++)
        fprintf(trace.file, "rank,%d,%d\n", rank, about->node_of[rank]);
    return true;
}

bool trace_file_close(void)
{
    errno = 0;
    bool good = fflush(trace.file) == 0 && !ferror(trace.file);
    int why = errno ? errno : EIO; /* what stopped the first write that failed may be forgotten */
    if (fclose(trace.file) != 0) good = false;
    g_hash_table_unref(trace.numbers);
    trace_on = false;
    memset(&trace, 0, sizeof trace);
    errno = why;
    return good;
}
