/* Datatypes and packed messages with counts of type MPI_Count (MPI-4.0 5.1, 5.2). */
#include "check.h"

#include <string.h>

static int next(void) { return (check_rank + 1) % check_ranks; }

/* Does a put of so many ints with that datatype reach the places that are not 0? */
static int reaches(MPI_Datatype type, int ints, const char *places)
{
    enum { MOST = 16 };
    int *window, right = 1, at = 0;
    const int out[MOST] = {1, 2, 3, 4, 5, 6};
    MPI_Win win;
    MPI_Type_commit(&type);
    MPI_Win_allocate_c(MOST * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                       &win);
    memset(window, 0, MOST * sizeof(int));
    MPI_Win_fence(0, win);
    MPI_Put_c(out, ints, MPI_INT, next(), 0, 1, type, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < MOST; i++)
        right &= window[i] == (i < (int)strlen(places) && places[i] == '+' ? ++at : 0);
    MPI_Win_free(&win);
    MPI_Type_free(&type);
    return right;
}

static void datatypes(void)
{
    const MPI_Count length[] = {2, 1}, at[] = {0, 4}, bytes[] = {0, 16}, all[] = {3, 4};
    const MPI_Count some[] = {2, 2}, from[] = {1, 1}, eight[] = {8},
                    huge[] = {1, (MPI_Count)1 << 33};
    const MPI_Datatype each[] = {MPI_INT, MPI_FLOAT};
    const int cyclic[] = {MPI_DISTRIBUTE_CYCLIC}, usual[] = {MPI_DISTRIBUTE_DFLT_DARG}, two[] = {2};
    MPI_Datatype type, whole;
    MPI_Type_indexed_c(2, length, at, MPI_INT, &type);
    check(reaches(type, 3, "++  +"), "MPI_Type_indexed_c");
    MPI_Type_create_indexed_block_c(2, 1, at, MPI_INT, &type);
    check(reaches(type, 2, "+   +"), "MPI_Type_create_indexed_block_c");
    MPI_Type_create_hindexed_c(2, length, bytes, MPI_INT, &type);
    check(reaches(type, 3, "++  +"), "MPI_Type_create_hindexed_c");
    MPI_Type_create_hindexed_block_c(2, 2, bytes, MPI_INT, &type);
    check(reaches(type, 4, "++  ++"), "MPI_Type_create_hindexed_block_c");
    MPI_Type_create_subarray_c(2, all, some, from, MPI_ORDER_C, MPI_INT, &type);
    check(reaches(type, 4, "     ++  ++"), "MPI_Type_create_subarray_c");
    MPI_Type_create_darray_c(2, 1, 1, eight, cyclic, usual, two, MPI_ORDER_C, MPI_INT, &type);
    check(reaches(type, 4, " + + + +"), "MPI_Type_create_darray_c");
    MPI_Count size, lb, extent;
    MPI_Type_create_struct_c(2, length, bytes, each, &type);
    MPI_Type_create_resized_c(type, -4, 40, &whole);
    MPI_Type_size_c(whole, &size);
    MPI_Type_get_extent_c(whole, &lb, &extent);
    check(size == 12 && lb == -4 && extent == 40, "MPI_Type_create_struct_c and _resized_c");
    MPI_Type_free(&type);
    MPI_Type_free(&whole);
    int class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Type_indexed_c(2, length, huge, MPI_INT, &type), &class);
    check(class == MPI_ERR_COUNT, "what fits no int is an error");
}

static void packed(void)
{
    const int out[3] = {7, 8, 9 + check_rank};
    int in[3] = {0}, peeked[3] = {0};
    char buffer[64];
    MPI_Count size = 0, at = 0;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    MPI_Pack_size_c(3, MPI_INT, MPI_COMM_WORLD, &size);
    MPI_Pack_c(out, 3, MPI_INT, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
    check(size >= at && at == sizeof out, "MPI_Pack_c");
    at = 0;
    MPI_Unpack_c(buffer, sizeof buffer, &at, in, 3, MPI_INT, MPI_COMM_WORLD);
    check(at == sizeof out && in[2] == out[2], "MPI_Unpack_c");
    MPI_Isendrecv_c(out, 3, MPI_INT, next(), 1, in, 3, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ssend_init_c(out, 3, MPI_INT, next(), 2, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv_c(peeked, 3, MPI_INT, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    check(in[2] == peeked[2] && in[2] == 9 + status.MPI_SOURCE, "MPI_Isendrecv_c and MPI_Mrecv_c");
}

static void external(void)
{
    const int out[2] = {5, 6};
    int in[2] = {0}, combiner;
    char buffer[64];
    static char attached[4096];
    void *back = NULL;
    MPI_Count size = 0, at = 0, integers, addresses, large, types;
    MPI_Datatype type;
    MPI_Pack_external_size_c("external32", 2, MPI_INT, &size);
    MPI_Pack_external_c("external32", out, 2, MPI_INT, buffer, sizeof buffer, &at);
    check(size == 8 && at == 8 && buffer[3] == 5, "MPI_Pack_external_c");
    at = 0;
    MPI_Unpack_external_c("external32", buffer, 8, &at, in, 2, MPI_INT);
    check(at == 8 && in[0] == 5 && in[1] == 6, "MPI_Unpack_external_c");
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner);
    check(integers == 3 && addresses == 0 && large == 0 && types == 1 &&
              combiner == MPI_COMBINER_VECTOR,
          "MPI_Type_get_envelope_c");
    MPI_Type_free(&type);
    MPI_Buffer_attach_c(attached, sizeof attached);
    MPI_Bsend_c(out, 2, MPI_INT, next(), 3, MPI_COMM_WORLD);
    MPI_Recv_c(in, 2, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach_c(&back, &size);
    check(back == attached && size == sizeof attached, "MPI_Buffer_attach_c and _detach_c");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    datatypes();
    packed();
    external();
    return check_end();
}
