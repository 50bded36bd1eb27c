/* Error codes of the program's own, handlers of communicators, info objects. */
#include "check.h"

static int handled, handled_code;

static void handler(MPI_Win *win, int *code, ...)
{
    (void)win;
    handled++, handled_code = *code;
}

static void codes(MPI_Win win)
{
    int class = 0, code = 0, of = 0, length = 0, found = 0, *last = NULL, before;
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_Errhandler mine;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
    before = found ? *last : -1;
    check(before == MPI_ERR_LASTCODE, "MPI_LASTUSEDCODE is MPI_ERR_LASTCODE at first");
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    check(class > MPI_ERR_LASTCODE && code > class, "codes of the program's own lie behind MPI's");
    MPI_Error_class(code, &of);
    check(of == class, "a code belongs to the class that it was added to");
    MPI_Error_string(code, text, &length);
    check(length == 0 && text[0] == '\0', "it has no text until it is given one");
    MPI_Add_error_string(code, "a text of the program's own");
    MPI_Error_string(code, text, &length);
    check(strcmp(text, "a text of the program's own") == 0 && length == (int)strlen(text),
          "MPI_Error_string gives the text of MPI_Add_error_string");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
    check(found && *last == code, "MPI_LASTUSEDCODE is the last one added");
    MPI_Win_create_errhandler(handler, &mine);
    MPI_Win_set_errhandler(win, mine);
    MPI_Errhandler_free(&mine);
    MPI_Win_call_errhandler(win, code);
    check(handled == 1 && handled_code == code, "a window's handler gets such a code");
    MPI_Add_error_code(MPI_ERR_RMA_SYNC, &code);
    MPI_Error_class(code, &of);
    check(of == MPI_ERR_RMA_SYNC, "a code may belong to one of MPI's classes");
}

static void handlers(void)
{
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    if (check_rank == 1) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    check(found == (check_rank == 1 ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL),
          "the handler that one rank sets is its own: the others keep the default");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int class = -1, code = MPI_Add_error_string(MPI_ERR_WIN, "no");
    MPI_Error_class(code, &class);
    check(class == MPI_ERR_ARG, "texts of MPI's own codes cannot be changed");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    int main_thread = 0;
    MPI_Is_thread_main(&main_thread);
    check(main_thread, "every rank is its main thread");
}

static int has(MPI_Info info, const char *key, const char *value)
{
    char found[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, found, &flag);
    return flag && strcmp(found, value) == 0;
}

static void infos(void)
{
    MPI_Info info, other, got;
    MPI_Win win;
    char cut[8] = "#######";
    int flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_get(info, "no_locks", 2, cut, &flag);
    check(flag && strcmp(cut, "tr") == 0, "\"the value is truncated\": MPI_Info_get ends it");
    MPI_Win_create(NULL, 0, 1, info, MPI_COMM_WORLD, &win);
    MPI_Info_create(&other);
    MPI_Info_set(other, "same_size", "true");
    MPI_Win_set_info(win, other);
    MPI_Win_get_info(win, &got);
    check(has(got, "same_size", "true") && has(got, "no_locks", "true"),
          "MPI_Win_set_info leaves hints that it does not name as they were");
    MPI_Info_set(other, "same_size", "false");
    MPI_Win_set_info(win, other);
    MPI_Info_free(&got);
    MPI_Win_get_info(win, &got);
    check(has(got, "same_size", "false"), "it changes those that it names");
    MPI_Info_free(&got);
    MPI_Info_free(&info);
    MPI_Info_free(&other);
    MPI_Win_free(&win);
}

static int released;

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    return MPI_SUCCESS;
}

static int release(void *extra) { return (void)extra, released++, MPI_SUCCESS; }
static int no_cancel(void *extra, int done) { return (void)extra, (void)done, MPI_SUCCESS; }

/* SMPI completed them in arrays, whether or not they were. */
static void of_its_own(void)
{
    int seven = 7, eight = 8, out = 1, in = 0, flag = 1, n = 0, index = -1, right;
    MPI_Request request[4];
    MPI_Status status[4];
    MPI_Grequest_start(query, release, no_cancel, &seven, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, check_rank, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(&in, 1, MPI_INT, check_rank, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Grequest_start(query, release, no_cancel, &eight, &request[3]);
    MPI_Testall(4, request, &flag, status);
    check(!flag, "a generalised request is not complete before MPI_Grequest_complete");
    MPI_Grequest_complete(request[3]);
    MPI_Waitany(1, &request[3], &index, &status[3]);
    MPI_Get_elements(&status[3], MPI_INT, &n);
    check(index == 0 && n == 8 && status[3].MPI_SOURCE == 3, "its status is what it says itself");
    MPI_Grequest_complete(request[0]);
    MPI_Waitall(4, request, status);
    MPI_Get_elements(&status[0], MPI_INT, &n);
    right = n == 7 && in == 1 && released == 2 && request[0] == MPI_REQUEST_NULL;
    check(right, "it can be waited for together with messages, and is freed");
}

/* SMPI cancelled what was on its way, and ended the run. */
static void too_late(void)
{
    int out = 5, in = 0, cancelled = 1;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, check_rank, 1, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, check_rank, 1, MPI_COMM_WORLD);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    check(!cancelled && in == 5, "a receive that has its message is not cancelled any more");
    MPI_Irecv(&in, 1, MPI_INT, check_rank, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    check(cancelled, "one that has none is");
}

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void null_pointers(void)
{
    MPI_Request none = MPI_REQUEST_NULL;
    int flag = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(class_of(MPI_Wait(NULL, MPI_STATUS_IGNORE)) == MPI_ERR_REQUEST &&
              class_of(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE)) == MPI_ERR_REQUEST &&
              class_of(MPI_Test(NULL, &flag, MPI_STATUS_IGNORE)) == MPI_ERR_REQUEST,
          "a null pointer to requests is an error");
    check(class_of(MPI_Test(&none, NULL, MPI_STATUS_IGNORE)) == MPI_ERR_ARG &&
              class_of(MPI_Iprobe(0, 0, MPI_COMM_WORLD, NULL, MPI_STATUS_IGNORE)) == MPI_ERR_ARG &&
              class_of(MPI_Comm_rank(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG,
          "so is one where a number is stored");
    check(class_of(MPI_Comm_free(NULL)) == MPI_ERR_COMM &&
              class_of(MPI_Op_free(NULL)) == MPI_ERR_OP &&
              class_of(MPI_Win_free(NULL)) == MPI_ERR_WIN,
          "or a handle");
    check(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS, "no requests need no pointer");
}

static void long_keys(void)
{
    MPI_Info info;
    char key[MPI_MAX_INFO_KEY + 2] = "";
    memset(key, 'k', MPI_MAX_INFO_KEY + 1);
    MPI_Info_create(&info);
    check(class_of(MPI_Info_set(info, key, "")) == MPI_ERR_INFO_KEY &&
              class_of(MPI_Info_set(info, "", "")) == MPI_ERR_INFO_KEY,
          "a key has a length, which is at most MPI_MAX_INFO_KEY");
    key[MPI_MAX_INFO_KEY] = '\0';
    check(MPI_Info_set(info, key, "") == MPI_SUCCESS, "so long it may be");
    MPI_Info_free(&info);
}

static void many_elements(void)
{
    MPI_Status status = {0};
    MPI_Count many = 0;
    int few = 0, cancelled = 0;
    MPI_Status_set_elements_x(&status, MPI_DOUBLE, 3000000000);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_elements_x(&status, MPI_DOUBLE, &many);
    MPI_Get_elements(&status, MPI_DOUBLE, &few);
    MPI_Test_cancelled(&status, &cancelled);
    check(many == 3000000000 && few == MPI_UNDEFINED && cancelled,
          "a status counts more elements than an int can");
    MPI_Status_set_elements(&status, MPI_INT, 3);
    MPI_Get_count(&status, MPI_INT, &few);
    MPI_Test_cancelled(&status, &cancelled);
    check(few == 3 && cancelled, "and then few again");
}

/* Long messages, of which SMPI gave up the second. */
static void freed(void)
{
    enum { LONG = 30000 };
    int *out = malloc(LONG * sizeof(int)), *in = calloc(LONG, sizeof(int)), wrong = 0;
    int right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Request request[2];
    for (int i = 0; i < LONG; i++) out[i] = check_rank + i;
    for (int i = 0; i < 2; i++) {
        MPI_Isend(out, LONG, MPI_INT, right, i, MPI_COMM_WORLD, &request[i]);
        MPI_Request_free(&request[i]);
    }
    for (int i = 0; i < 2; i++) {
        memset(in, 0, LONG * sizeof(int));
        MPI_Recv(in, LONG, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < LONG; k++) wrong += in[k] != left + k;
    }
    check(!wrong && request[0] == MPI_REQUEST_NULL, "a message whose request is freed arrives");
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    codes(win);
    MPI_Win_free(&win);
    handlers();
    infos();
    of_its_own();
    too_late();
    freed();
    null_pointers();
    long_keys();
    many_elements();
    return check_end();
}
