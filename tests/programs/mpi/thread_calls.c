/* Calls that a thread of the program makes while its rank waits for it. "MPI calls from them get
 * MPI_ERR_OTHER": none may free, change or crash what is the rank's. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Win win;
static MPI_Op op;
static MPI_Comm own;
static MPI_Datatype type;
static MPI_Request req, preq;
static MPI_Group group;
static MPI_Info info;
static MPI_Errhandler eh;
static int key, wkey, buf[64], bad;

static void add(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }
static void handle(MPI_Comm *c, int *e, ...) { (void)c, (void)e; }

static void refused(const char *call, int code)
{
    if (code == MPI_ERR_OTHER) return;
    bad++;
    printf("FAILED: %s returns %d\n", call, code);
}
#define T(call) refused(#call, call)

static void *thread(void *unused)
{
    int flag, n, rank, k2 = key, k3 = wkey;
    char s[256];
    void *p;
    MPI_Status st;
    MPI_Message msg;
    MPI_Comm c2 = own;
    MPI_Op o2 = op;
    MPI_Datatype t2 = type, t3;
    MPI_Request r2 = req;
    MPI_Group g2 = group;
    MPI_Info i2 = info;
    MPI_Win w2 = win;
    MPI_Aint lo, ex;
    MPI_Errhandler e2 = eh;
    (void)unused;
    T(MPI_Op_free(&o2));
    T(MPI_Comm_free(&c2));
    T(MPI_Type_free(&t2));
    T(MPI_Type_commit(&t2));
    T(MPI_Type_dup(type, &t3));
    T(MPI_Type_vector(2, 1, 2, MPI_INT, &t3));
    T(MPI_Type_size(type, &n));
    T(MPI_Type_get_extent(type, &lo, &ex));
    T(MPI_Comm_dup(own, &c2));
    T(MPI_Comm_size(own, &n));
    T(MPI_Comm_split(own, 0, 0, &c2));
    T(MPI_Comm_set_attr(own, key, buf));
    T(MPI_Comm_get_attr(own, key, &p, &flag));
    T(MPI_Comm_free_keyval(&k2));
    T(MPI_Win_free_keyval(&k3));
    T(MPI_Win_set_attr(win, wkey, buf));
    T(MPI_Win_get_attr(win, wkey, &p, &flag));
    T(MPI_Comm_create_errhandler(handle, &e2));
    T(MPI_Comm_set_errhandler(own, eh));
    T(MPI_Comm_get_errhandler(own, &e2));
    T(MPI_Errhandler_free(&e2));
    T(MPI_Comm_call_errhandler(own, 3));
    T(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    T(MPI_Put(buf, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    T(MPI_Get(buf, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    T(MPI_Win_unlock(0, win));
    T(MPI_Win_fence(0, win));
    T(MPI_Win_flush(0, win));
    T(MPI_Win_sync(win));
    T(MPI_Win_free(&w2));
    T(MPI_Accumulate(buf, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    T(MPI_Fetch_and_op(buf, buf + 1, MPI_INT, 0, 0, MPI_SUM, win));
    T(MPI_Rput(buf, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r2));
    T(MPI_Send(buf, 1, MPI_INT, 0, 0, own));
    T(MPI_Recv(buf, 1, MPI_INT, 0, 0, own, &st));
    T(MPI_Isend(buf, 1, MPI_INT, 0, 0, own, &r2));
    T(MPI_Irecv(buf, 1, MPI_INT, 0, 0, own, &r2));
    T(MPI_Iprobe(0, 0, own, &flag, &st));
    T(MPI_Mprobe(0, 0, own, &msg, &st));
    r2 = req;
    T(MPI_Wait(&r2, &st));
    T(MPI_Test(&r2, &flag, &st));
    T(MPI_Waitall(1, &r2, &st));
    T(MPI_Request_free(&r2));
    r2 = preq;
    T(MPI_Start(&r2));
    T(MPI_Pready(0, r2));
    T(MPI_Cancel(&r2));
    r2 = req;
    T(MPI_Allreduce(buf, buf + 8, 1, MPI_INT, op, own));
    T(MPI_Iallreduce(buf, buf + 8, 1, MPI_INT, op, own, &r2));
    T(MPI_Bcast(buf, 1, MPI_INT, 0, own));
    T(MPI_Alltoallv(MPI_IN_PLACE, buf, buf, MPI_INT, buf, buf, buf, MPI_INT, own));
    T(MPI_Reduce_local(buf, buf + 8, 1, MPI_INT, op));
    T(MPI_Op_create(add, 1, &o2));
    T(MPI_Group_size(group, &n));
    T(MPI_Group_rank(group, &rank));
    T(MPI_Comm_group(own, &g2));
    T(MPI_Group_free(&g2));
    T(MPI_Info_set(info, "a", "b"));
    T(MPI_Info_get(info, "a", 10, s, &flag));
    T(MPI_Info_free(&i2));
    T(MPI_Type_contiguous(3, type, &t3));
    T(MPI_Type_create_resized(type, 0, 16, &t3));
    T(MPI_Type_create_struct(1, (int[]){1}, (MPI_Aint[]){0}, &type, &t3));
    T(MPI_Type_create_subarray(1, (int[]){4}, (int[]){2}, (int[]){0}, MPI_ORDER_C, type, &t3));
    T(MPI_Type_indexed(1, (int[]){1}, (int[]){0}, type, &t3));
    T(MPI_Type_set_name(type, "x"));
    T(MPI_Win_set_name(win, "x"));
    T(MPI_Comm_set_name(own, "x"));
    T(MPI_Win_post(group, 0, win));
    T(MPI_Win_get_group(win, &g2));
    T(MPI_Win_attach(win, buf, 4));
    T(MPI_Get_address(buf, &lo));
    T(MPI_Grequest_complete(r2));
    T(MPI_Dist_graph_create_adjacent(own, 0, NULL, NULL, 0, NULL, NULL, info, 0, &c2));
    T(MPI_Add_error_class(&n));
    T(MPI_Pack(buf, 1, MPI_INT, s, 256, &n, own));
    T(MPI_Cart_create(own, 1, (int[]){2}, (int[]){0}, 0, &c2));
    T(MPI_Win_create(buf, 4, 1, MPI_INFO_NULL, own, &w2));
    T(MPI_Win_allocate(4, 1, MPI_INFO_NULL, own, &p, &w2));
    T(MPI_Alloc_mem(8, MPI_INFO_NULL, &p));
    T(MPI_Buffer_attach(buf, 64));
    T(MPI_Barrier(own));
    T(MPI_Comm_idup(own, &c2, &r2));
    T(MPI_Psend_init(buf, 1, 1, MPI_INT, 0, 0, own, MPI_INFO_NULL, &r2));
    T(MPI_Intercomm_merge(own, 0, &c2));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t one;
    int rank;
    void *base;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(256, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Op_create(add, 1, &op);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_create_errhandler(handle, &eh);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &wkey, NULL);
    MPI_Comm_group(own, &group);
    MPI_Info_create(&info);
    MPI_Comm_rank(own, &rank);
    MPI_Irecv(buf, 1, MPI_INT, rank, 77, own, &req);
    MPI_Psend_init(buf + 32, 1, 1, MPI_INT, rank, 5, own, MPI_INFO_NULL, &preq);

    pthread_create(&one, NULL, thread, NULL);
    pthread_join(one, NULL);

    /* all of it is as it was */
    MPI_Send(buf, 1, MPI_INT, rank, 77, own);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Request_free(&preq);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Errhandler_free(&eh);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Comm_free(&own);
    MPI_Win_free(&win);
    if (bad == 0) printf("rank %d: all calls refused\n", rank);
    MPI_Finalize();
    return bad != 0;
}
