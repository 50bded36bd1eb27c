/* Writes one MPI program of many random plans (tests/unit/check/random), and the pairs of lines
 * that their naive judge blames in every order tried:
 *
 *   random_programs KIND FIRST COUNT EXPECTED >PROGRAM.c
 *
 * KIND: correct, removed (one synchronisation taken out) or wild. A plan whose pairs depend on the
 * order, or that can wait for ever, is left out. EXPECTED: "error LINE LINE" a pair. */
#include "check/random/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 12 };

static int line;
static void out(const char *text)
{
    puts(text);
    line++;
}

static const char *const operation[] = {[PLAN_PUT] = "Put(",
                                        [PLAN_GET] = "Get(",
                                        [PLAN_ADD] = "Accumulate(",
                                        [PLAN_REPLACE] = "Accumulate(",
                                        [PLAN_FETCH_ADD] = "Fetch_and_op(",
                                        [PLAN_FETCH_REPLACE] = "Fetch_and_op(",
                                        [PLAN_SWAP] = "Compare_and_swap("};

static void operate(const struct plan_step *s, int step)
{
    char from[64], there[64];
    snprintf(from, sizeof from, "own[%d]", s->buffer);
    if (s->buffer < 0) snprintf(from, sizeof from, "&number[%d]", s->meeting);
    snprintf(there, sizeof there, "%d, %d", s->target, s->word);
    const char *op =
        s->kind == PLAN_REPLACE || s->kind == PLAN_FETCH_REPLACE ? ", MPI_REPLACE" : ", MPI_SUM";
    if (s->kind == PLAN_FETCH)
        printf("MPI_Fetch_and_op(NULL, own[%d], MPI_LONG, %s, MPI_NO_OP, win);",
               s->buffer + PLAN_BUFFERS, there);
    else if (s->kind == PLAN_SWAP)
        printf("MPI_Compare_and_swap(%s, &number[0], own[%d], MPI_LONG, %s, win);", from,
               s->buffer + PLAN_BUFFERS, there);
    else if (plan_fetches(s->kind))
        printf("MPI_%s%s, own[%d], MPI_LONG, %s%s, win);", operation[s->kind], from,
               s->buffer + PLAN_BUFFERS, there, op);
    else if (plan_accumulates(s->kind))
        printf("MPI_%s%s, %d, MPI_LONG, %s, %d, MPI_LONG%s, win);", operation[s->kind], from,
               s->words, there, s->words, op);
    else if (s->request)
        printf("MPI_R%s(%s, %d, MPI_LONG, %s, %d, MPI_LONG, win, &request[%d]);",
               s->kind == PLAN_PUT ? "put" : "get", from, s->words, there, s->words, step);
    else
        printf("MPI_%s%s, %d, MPI_LONG, %s, %d, MPI_LONG, win);", operation[s->kind], from,
               s->words, there, s->words);
}

static void with_target(const char *call, const char *rest, int target)
{
    if (target < 0)
        printf("MPI_Win_%s_all(win);", call);
    else
        printf("MPI_Win_%s(%s%d, win);", call, rest, target);
}

static void collective(const struct plan_step *s)
{
    switch (s->flow) {
    case PLAN_ALL: printf("MPI_Barrier(MPI_COMM_WORLD);"); break;
    case PLAN_FROM_ROOT:
        printf("MPI_Bcast(spare, 1, MPI_LONG, %d, MPI_COMM_WORLD);", s->root);
        break;
    case PLAN_TO_ROOT:
        printf("MPI_Reduce(spare, spare + 1, 1, MPI_LONG, MPI_SUM, %d, MPI_COMM_WORLD);", s->root);
        break;
    case PLAN_UPWARD:
        printf("MPI_Scan(spare, spare + 1, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);");
        break;
    }
}

static void write_step(const struct plan_step *s, int step)
{
    switch (s->kind) {
    case PLAN_LOAD: printf("seen = base[%d];", s->word); break;
    case PLAN_STORE: printf("base[%d] = 1;", s->word); break;
    case PLAN_PRIVATE_LOAD: printf("seen = OWN(%d);", s->buffer); break;
    case PLAN_PRIVATE_STORE: printf("OWN(%d) = 1;", s->buffer); break;
    case PLAN_AWAIT:
        printf("do { MPI_Fetch_and_op(NULL, own[%d], MPI_LONG, %d, %d, MPI_NO_OP, win); "
               "MPI_Win_flush(%d, win); } while (own[%d][0] != %d);",
               s->buffer + PLAN_BUFFERS, s->target, s->word, s->target, s->buffer + PLAN_BUFFERS,
               s->meeting);
        break;
    case PLAN_REQUEST_WAIT: printf("MPI_Wait(&request[%d], MPI_STATUS_IGNORE);", s->of); break;
    case PLAN_FENCE: printf("MPI_Win_fence(0, win);"); break;
    case PLAN_POST: printf("MPI_Win_post(group_of(%u), 0, win);", s->group); break;
    case PLAN_START: printf("MPI_Win_start(group_of(%u), 0, win);", s->group); break;
    case PLAN_COMPLETE: printf("MPI_Win_complete(win);"); break;
    case PLAN_WAIT: printf("MPI_Win_wait(win);"); break;
    case PLAN_LOCK:
        if (s->target < 0)
            printf("MPI_Win_lock_all(0, win);");
        else
            printf("MPI_Win_lock(MPI_LOCK_%s, %d, 0, win);", s->exclusive ? "EXCLUSIVE" : "SHARED",
                   s->target);
        break;
    case PLAN_UNLOCK: with_target("unlock", "", s->target); break;
    case PLAN_FLUSH: with_target("flush", "", s->target); break;
    case PLAN_FLUSH_LOCAL: with_target("flush_local", "", s->target); break;
    case PLAN_SEND:
        printf("MPI_Send(own[%d], 1, MPI_LONG, %d, 0, MPI_COMM_WORLD);", s->buffer, s->target);
        break;
    case PLAN_RECEIVE:
        printf("MPI_Recv(own[%d], 1, MPI_LONG, %d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
               s->buffer, s->target);
        break;
    case PLAN_COLLECTIVE: collective(s); break;
    default: operate(s, step); break;
    }
}

static void write_plan(const struct plan *plan, int number, const struct plan_pairs *pairs,
                       FILE *expected)
{
    int at[PLAN_LINES] = {0};
    printf("static void plan%d(void) /* %d pairs */\n", number, pairs->n), line++;
    out("{");
    for (int r = 0; r < RANKS_OF_PLAN; r++) {
        printf("    if (rank == %d) {\n", r), line++;
        for (int s = 0; s < plan->steps[r]; s++) {
            printf("        ");
            write_step(&plan->step[r][s], s);
            out("");
            at[plan_line(r, s)] = line;
        }
        out("    }");
    }
    out("}");
    for (int a = 0; a < PLAN_LINES; a++)
        for (int b = a; b < PLAN_LINES; b++)
            if (pairs->conflict[a][b]) fprintf(expected, "error %d %d\n", at[a], at[b]);
}

/* The pairs, if they are the same in every order. */
static bool judged(const struct plan *plan, struct plan_pairs *pairs)
{
    static struct plan_events events;
    static struct plan_pairs other;
    for (uint64_t order = 0; order < ORDERS; order++) {
        if (!plan_schedule(plan, order, &events)) return false;
        plan_judge(plan, &events, order ? &other : pairs);
        if (order && memcmp(pairs, &other, sizeof other) != 0) return false;
    }
    return true;
}

static const char head[] =
    "#include <mpi.h>\n#include <stddef.h>\n"
    "static int rank;\nstatic long own[12][2], number[64], spare[2];\n"
    /* else gcc takes a load's value from the store before it, and nothing is loaded */
    "#define OWN(i) (*(volatile long *)own[i])\n"
    "static volatile long *base, seen;\nstatic MPI_Win win;\nstatic MPI_Request request[120];\n"
    "static MPI_Group all;\n"
    "static MPI_Group group_of(unsigned bits)\n{\n    int member[4], n = 0;\n    MPI_Group group;\n"
    "    for (int r = 0; r < 4; r++) if (bits >> r & 1) member[n++] = r;\n"
    "    MPI_Group_incl(all, n, member, &group);\n    return group;\n}";

int main(int argc, char **argv)
{
    static struct plan plan;
    static struct plan_pairs pairs;
    if (argc != 5) return 2;
    FILE *expected = fopen(argv[4], "w");
    if (!expected) return 1;
    int first = atoi(argv[2]), count = atoi(argv[3]);
    bool *written = calloc((size_t)count, sizeof *written);
    out(head);
    for (const char *c = head; *c; c++) line += *c == '\n';
    for (int i = 0; i < count; i++) {
        plan_make(&plan, (uint64_t)(first + i), argv[1][0] == 'w');
        int which = argv[1][0] == 'r' && plan.removables > 0 ? 1 + i % plan.removables : 0;
        if (argv[1][0] == 'w' && plan.removables > 0) which = i % (plan.removables + 1);
        if (which) plan_remove(&plan, which);
        if (!(written[i] = judged(&plan, &pairs))) continue;
        write_plan(&plan, first + i, &pairs, expected);
    }
    puts("int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n"
         "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_group(MPI_COMM_WORLD, &all);\n"
         "    for (int i = 0; i < 64; i++) number[i] = i;");
    for (int i = 0; i < count; i++)
        if (written[i])
            printf("    MPI_Win_allocate(48, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win); "
                   "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win); for (int i = 0; i < 6; i++) "
                   "base[i] = 0; MPI_Win_unlock(rank, win); MPI_Barrier(MPI_COMM_WORLD);\n"
                   "    plan%d();\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Win_free(&win);\n",
                   first + i);
    puts("    MPI_Finalize();\n    return 0;\n}");
    free(written);
    return fclose(expected) != 0;
}
