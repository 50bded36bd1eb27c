/* Elements of what was received, statuses, datatypes by what they hold. */
#include "check.h"

#include <stddef.h>

struct record {
    double number;
    int index;
};

static MPI_Datatype record_type(void)
{
    MPI_Datatype made;
    MPI_Type_create_struct(
        2, (int[]){1, 1},
        (MPI_Aint[]){offsetof(struct record, number), offsetof(struct record, index)},
        (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &made);
    MPI_Type_commit(&made);
    return made;
}

/* What a receive of two `into` gets of a message of `count` of `type`. */
static MPI_Status received(int count, MPI_Datatype type, MPI_Datatype into)
{
    struct record out[4] = {{0}}, in[4];
    MPI_Status status;
    int right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    MPI_Sendrecv(out, count, type, right, 1, in, 2, into, left, 1, MPI_COMM_WORLD, &status);
    return status;
}

static void elements(void)
{
    MPI_Datatype three, record = record_type();
    int count = 0, n = 0;
    MPI_Count large = 0;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Status status = received(4, MPI_INT, three);
    MPI_Get_count(&status, three, &count);
    MPI_Get_elements(&status, three, &n);
    MPI_Get_elements_x(&status, three, &large);
    check(count == MPI_UNDEFINED && n == 4 && large == 4,
          "MPI_Get_elements counts predefined ones where MPI_Get_count is MPI_UNDEFINED");
    status = received(1, record, record);
    MPI_Get_elements(&status, record, &n);
    check(n == 2, "a record of a double and an int has two");
    status = received(1, MPI_DOUBLE, record);
    MPI_Get_elements(&status, record, &n);
    check(n == 1, "its first half has one");
    status = received(6, MPI_BYTE, MPI_DOUBLE);
    MPI_Get_elements(&status, MPI_DOUBLE, &n);
    check(n == MPI_UNDEFINED, "bytes that are no whole element are MPI_UNDEFINED");
    status = received(1, MPI_2INT, MPI_2INT);
    MPI_Get_elements(&status, MPI_2INT, &n);
    check(n == 2, "a pair of MPI_MINLOC has two");
    MPI_Status_set_elements(&status, record, 5);
    MPI_Get_elements(&status, record, &n);
    MPI_Get_count(&status, record, &count);
    check(n == 5 && count == MPI_UNDEFINED, "MPI_Status_set_elements sets what is counted");
    MPI_Type_free(&three);
    MPI_Type_free(&record);
}

/* SMPI received whole elements alone. */
static void in_part(void)
{
    const struct record out[2] = {{1.5, 7}, {2.5, 8}};
    MPI_Datatype record = record_type(), half;
    MPI_Type_create_struct(3, (int[]){1, 1, 1},
                           (MPI_Aint[]){0, offsetof(struct record, index), sizeof(struct record)},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, &half);
    MPI_Type_commit(&half);
    int right = (check_rank + 1) % check_ranks, left = (check_rank + check_ranks - 1) % check_ranks;
    for (int way = 0; way < 3; way++) {
        struct record in[2] = {{0, 0}, {0, 9}};
        MPI_Request sent, received = MPI_REQUEST_NULL;
        if (way == 0) MPI_Irecv(in, 2, record, left, 2, MPI_COMM_WORLD, &received);
        if (way < 2) MPI_Isend(out, 1, half, right, 2, MPI_COMM_WORLD, &sent);
        if (way == 0) MPI_Wait(&received, MPI_STATUS_IGNORE);
        if (way == 1) MPI_Recv(in, 2, record, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (way < 2) MPI_Wait(&sent, MPI_STATUS_IGNORE);
        if (way == 2)
            MPI_Sendrecv(out, 1, half, right, 2, in, 2, record, left, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        check(in[0].number == 1.5 && in[0].index == 7 && in[1].number == 2.5 && in[1].index == 9,
              "an element that comes in part is stored in part");
    }
    MPI_Type_free(&record);
    MPI_Type_free(&half);
}

static void operations(void)
{
    int memory = 7, into = 0, n = -1, cancelled = 1;
    MPI_Win win;
    MPI_Request request;
    MPI_Status status;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Rget(&into, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, &status);
    MPI_Get_elements(&status, MPI_INT, &n);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Win_unlock_all(win);
    check(n == 0 && !cancelled && into == 7, "the status of a request-based operation is empty");
    MPI_Win_free(&win);
}

static void fortran(void)
{
    MPI_Status status = received(2, MPI_INT, MPI_INT), back;
    MPI_Fint in_fortran[MPI_F_STATUS_SIZE]; /* "can be used to declare" it (MPI-3.1 17.2.5) */
    int n = 0;
    MPI_Status_c2f(&status, in_fortran);
    MPI_Status_f2c(in_fortran, &back);
    MPI_Get_count(&back, MPI_INT, &n);
    check(n == 2 && back.MPI_TAG == 1 && in_fortran[MPI_F_TAG] == 1 &&
              in_fortran[MPI_F_SOURCE] == status.MPI_SOURCE,
          "a status goes to Fortran and back");
}

static int size_of(MPI_Datatype type)
{
    int size = -1;
    MPI_Type_size(type, &size);
    return size;
}

static void kinds(void)
{
    MPI_Datatype integer, real, complex;
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &integer);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &real);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &complex);
    check(size_of(integer) == 8 && size_of(real) == 4 && size_of(complex) == 16,
          "MPI_Type_match_size finds types by class and size");
    MPI_Type_create_f90_integer(9, &integer);
    MPI_Type_create_f90_real(15, 300, &real);
    MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &complex);
    check(size_of(integer) == 4 && size_of(real) == 8 && size_of(complex) == 8,
          "MPI_Type_create_f90_X find types by digits and range");
}

/* "external32": highest byte first, longs of 4 bytes (MPI-3.1 13.5.2). */
static void external(void)
{
    static char name[] = "external32";
    const struct record in[2] = {{1.5, 7}, {-2.25, -8}};
    struct record out[2] = {{0}};
    const long numbers[2] = {-3, 70000};
    long back[2] = {0};
    const long double wide = 1.25L;
    long double narrow = 0;
    unsigned char bytes[64] = {0};
    MPI_Datatype record = record_type();
    MPI_Aint size = 0, at = 0;
    MPI_Pack_external_size(name, 2, record, &size);
    MPI_Pack_external(name, (void *)in, 2, record, bytes, sizeof bytes, &at);
    check(size == 24 && at == 24 && bytes[0] == 0x3f && bytes[1] == 0xf8 && bytes[11] == 7 &&
              bytes[20] == 0xff && bytes[23] == 0xf8,
          "external32 has the highest byte first, and no gaps");
    at = 0;
    MPI_Unpack_external(name, bytes, 24, &at, out, 2, record);
    check(out[0].number == 1.5 && out[0].index == 7 && out[1].number == -2.25 && out[1].index == -8,
          "and gives back what it was given");
    at = 0;
    MPI_Pack_external(name, (void *)numbers, 2, MPI_LONG, bytes, sizeof bytes, &at);
    size = 0;
    MPI_Unpack_external(name, bytes, at, &size, back, 2, MPI_LONG);
    check(at == 8 && bytes[3] == 0xfd && back[0] == -3 && back[1] == 70000, "longs have 4 bytes");
    at = size = 0;
    MPI_Pack_external(name, (void *)&wide, 1, MPI_LONG_DOUBLE, bytes, sizeof bytes, &at);
    MPI_Unpack_external(name, bytes, at, &size, &narrow, 1, MPI_LONG_DOUBLE);
    check(at == 16 && bytes[0] == 0x3f && bytes[1] == 0xff && bytes[2] == 0x40 && narrow == wide,
          "long doubles have 16");
    MPI_Type_free(&record);
}

static void buffered(void)
{
    int out[16], in[2] = {-1, -1}, size = 0, right = (check_rank + 1) % check_ranks;
    char *room;
    MPI_Datatype sparse;
    MPI_Request request, again;
    MPI_Type_vector(2, 1, 15, MPI_INT, &sparse);
    MPI_Type_commit(&sparse);
    MPI_Pack_size(1, sparse, MPI_COMM_WORLD, &size);
    size += MPI_BSEND_OVERHEAD;
    room = malloc((size_t)size);
    MPI_Buffer_attach(room, size);
    MPI_Bsend_init(out, 1, sparse, right, 2, MPI_COMM_WORLD, &again);
    for (int way = 0; way < 4; way++) {
        out[0] = 10 + way, out[15] = 20 + way;
        if (way == 0)
            MPI_Bsend(out, 1, sparse, right, 2, MPI_COMM_WORLD);
        else if (way == 1)
            MPI_Ibsend(out, 1, sparse, right, 2, MPI_COMM_WORLD, &request);
        else
            MPI_Start(&again);
        if (way > 0) MPI_Wait(way > 1 ? &again : &request, MPI_STATUS_IGNORE);
        out[0] = out[15] = -1;
        MPI_Recv(in, 2, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(in[0] == 10 + way && in[1] == 20 + way,
              "a buffered send needs what MPI_Pack_size says, not the gaps");
    }
    MPI_Request_free(&again);
    MPI_Buffer_detach(&room, &size);
    free(room);
    MPI_Type_free(&sparse);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    elements();
    in_part();
    operations();
    fortran();
    kinds();
    external();
    buffered();
    return check_end();
}
