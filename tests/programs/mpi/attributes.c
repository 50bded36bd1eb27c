/* Keys of attributes that are freed while in use, and callbacks that fail (MPI-2 5.7.1, 8.8). */
#include "check.h"

static int copies, deletes;
static int refuse_type(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)in, (void)out;
    *flag = 0;
    return *(int *)extra;
}
static int copy_type(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}
static int delete_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}
static int delete_comm(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void of_types(void)
{
    int key, copy, class = MPI_ERR_OTHER, flag = 0, value = 7;
    void *found = NULL;
    MPI_Datatype type, dup = MPI_INT;
    MPI_Type_create_keyval(refuse_type, MPI_TYPE_NULL_DELETE_FN, &key, &class);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, &value);
    check(MPI_Type_dup(type, &dup) == MPI_ERR_OTHER && dup == MPI_DATATYPE_NULL,
          "MPI_Type_dup returns what a copy callback that fails does");
    class = MPI_SUCCESS;
    check(MPI_Type_dup(type, &dup) == MPI_SUCCESS, "it succeeds when the callback does");
    MPI_Type_free(&dup);
    MPI_Type_free(&type);

    MPI_Type_create_keyval(copy_type, delete_type, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, &value);
    copy = key;
    check(MPI_Type_free_keyval(&copy) == MPI_SUCCESS && copy == MPI_KEYVAL_INVALID,
          "a key in use is freed by a copy");
    check(MPI_Type_get_attr(type, key, &found, &flag) == MPI_SUCCESS && flag && found == &value,
          "what is cached with it is there still");
    check(MPI_Type_dup(type, &dup) == MPI_SUCCESS && copies == 1, "and is copied");
    check(MPI_Type_set_attr(type, key, &value) == MPI_ERR_KEYVAL, "new attributes are refused");
    check(MPI_Type_free_keyval(&key) == MPI_ERR_KEYVAL, "and so is freeing it again");
    MPI_Type_free(&type);
    MPI_Type_free(&dup);
    check(deletes == 2, "both are deleted");
    key = 12345;
    check(MPI_Type_free_keyval(&key) == MPI_ERR_KEYVAL, "a key that never was is refused");
}

static void of_comms(void)
{
    int key, copy, flag = 0, value = 7;
    void *found = NULL;
    MPI_Comm comm;
    deletes = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_comm, &key, NULL);
    MPI_Comm_set_attr(comm, key, &value);
    copy = key;
    check(MPI_Comm_free_keyval(&copy) == MPI_SUCCESS && copy == MPI_KEYVAL_INVALID,
          "so is one of a communicator");
    check(MPI_Comm_get_attr(comm, key, &found, &flag) == MPI_SUCCESS && flag && found == &value,
          "what is cached with it is there still");
    check(MPI_Comm_set_attr(comm, key, &value) == MPI_ERR_KEYVAL, "new attributes are refused");
    check(MPI_Comm_delete_attr(comm, key) == MPI_SUCCESS && deletes == 1,
          "it is deleted by that key");
    MPI_Comm_free(&comm);
    check(deletes == 1, "once");
}

static int copy_mine(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key;
    ++*(int *)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Of a communicator that all ranks share, each copies its own attributes. */
static void of_ranks(void)
{
    int key, flag = 0, mine = 0, value = 7, *found = NULL;
    MPI_Comm comm;
    MPI_Comm_create_keyval(copy_mine, MPI_COMM_NULL_DELETE_FN, &key, &mine);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    check(mine == 1, "a copy callback is called once, by the rank whose it is");
    MPI_Comm_get_attr(comm, key, &found, &flag);
    check(flag && found == &value, "the copy has what the rank has cached");
    MPI_Comm_free(&comm);
}

/* "The delete callback function [is] executed on all keys associated with MPI_COMM_SELF, in the
 * reverse order that they were set on MPI_COMM_SELF, before any other parts of MPI are affected.
 * For example, calling MPI_FINALIZED will return false in any of these callback functions" (MPI-3.1
 * 8.7.1). */
static int left_on_self = 3;
static int delete_at_the_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int finalized = -1, sum = 0;
    (void)comm, (void)key, (void)value;
    MPI_Finalized(&finalized);
    MPI_Allreduce(&left_on_self, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (check_rank == 0)
        printf("%s: attribute %d of MPI_COMM_SELF is deleted before MPI is finalized\n",
               finalized == 0 && sum == left_on_self * check_ranks && *(int *)extra == left_on_self
                   ? "ok"
                   : "FAILED",
               *(int *)extra);
    left_on_self--;
    return MPI_SUCCESS;
}

static void on_self(void)
{
    static int number[4] = {1, 2, 3, 4}, key[4];
    for (int i = 0; i < 4; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_at_the_end, &key[i], &number[i]);
        if (i < 3) MPI_Comm_set_attr(MPI_COMM_SELF, key[i], &number[i]);
    }
}

/* "The communicator MPI_COMM_WORLD cannot be deallocated during the life of a process" (MPI-3.1
 * 6.2.4). */
static void kept(void)
{
    MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    check(MPI_Comm_free(&world) == MPI_ERR_COMM && MPI_Comm_disconnect(&self) == MPI_ERR_COMM &&
              world == MPI_COMM_WORLD,
          "neither MPI_COMM_WORLD nor MPI_COMM_SELF can be freed");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    of_types();
    of_comms();
    of_ranks();
    kept();
    on_self();
    return check_end();
}
