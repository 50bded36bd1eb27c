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

int main(int argc, char **argv)
{
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    codes(win);
    MPI_Win_free(&win);
    handlers();
    infos();
    return check_end();
}
