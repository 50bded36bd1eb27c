# A random program of one rank, from `seed`: loops over memory of its own and over a window, chases, divisions,
# branches, calls, copies, atomic operations, messages and operations to itself. Prints a sum.
function pick(n) { return int(rand() * n) }
function array() { return pick(3) ? "own" : "window" }
function index_of(i) { return sprintf("(%s * %d + %d) %% N", i, 2 * pick(40) + 1, pick(1000)) }
function statement(i, kind) {
    kind = pick(12)
    if (kind < 2) return sprintf("sum += %s[%s];", array(), index_of(i))
    if (kind < 4) return sprintf("%s[%s] = sum * %d + %s;", array(), index_of(i), pick(90), i)
    if (kind == 4) return sprintf("at = chain[at]; sum += at;")
    if (kind == 5) return sprintf("real = real / (1.5 + %s) + %s[%s];", i, array(), index_of(i))
    if (kind == 6) return sprintf("if (sum & %d) sum = called(sum, %s);", 1 + pick(15), i)
    if (kind == 7) return sprintf("memcpy(own + %d, window + %d, %d);", pick(900), pick(900), 4 * pick(40))
    if (kind == 8) return sprintf("__atomic_fetch_add(&%s[%s], %d, __ATOMIC_SEQ_CST);", array(), index_of(i), pick(9))
    if (kind == 9) return sprintf("bytes[%s & 4095] ^= (unsigned char)sum;", i " * " pick(64))
    if (kind == 10) return sprintf("sum += (unsigned)bytes[%s & 4095] %% %du;", i " * " pick(64), 2 + pick(9))
    return sprintf("at = (at + %s[%s]) & (N - 1); sum ^= own[at];", array(), index_of(i))
}
function call(kind) {
    kind = pick(5)
    if (kind == 0) return "MPI_Put(own, 100, MPI_INT, 0, 200, 100, MPI_INT, win); MPI_Win_flush(0, win);"
    if (kind == 1) return "MPI_Get(own + 300, 50, MPI_INT, 0, 7, 50, MPI_INT, win); MPI_Win_flush(0, win);"
    if (kind == 2) return "MPI_Sendrecv(own, 60, MPI_INT, 0, 1, own + 500, 60, MPI_INT, 0, 1, MPI_COMM_SELF, " \
        "MPI_STATUS_IGNORE);"
    if (kind == 3) return "MPI_Allreduce(own, own + 700, 9, MPI_UNSIGNED, MPI_SUM, MPI_COMM_SELF);"
    return "MPI_Win_flush_all(win); MPI_Win_sync(win);"
}
BEGIN {
    srand(seed)
    print "#include <mpi.h>\n#include <stdio.h>\n#include <string.h>\nenum { N = 2048 };"
    print "static unsigned own[N], chain[N];\nstatic unsigned char bytes[4096];"
    print "static volatile unsigned char narrow[4096];"
    print "static __attribute__((noinline)) unsigned called(unsigned x, int i) { return x * 3 + own[i & 63]; }"
    print "int main(int argc, char **argv)\n{\n    unsigned *window, sum = 1, at = 1;\n    double real = 1;"
    print "    MPI_Win win;"
    print "    MPI_Init(&argc, &argv);"
    print "    MPI_Win_allocate(N * 4, 4, MPI_INFO_NULL, MPI_COMM_SELF, &window, &win);\n    MPI_Win_lock_all(0, win);"
    print "    for (int i = 0; i < N; i++) chain[i] = (i * 797u + 11) % N, window[i] = own[i] = i;"
    for (loop = 0; loop < 12; loop++) {
        printf "    for (int i = 0; i < %d; i++) {\n", 20 + pick(400)
        for (k = 1 + pick(4); k > 0; k--) print "        " statement("i")
        print "    }\n    " call()
    }
    # narrow stores, which read what the write buffer has written between two loads of the window
    print "    for (int i = 0; i < 400; i++) narrow[i * 3] = window[i] / (i + 3u);"
    print "    printf(\"%u %g\\n\", sum, real);\n    MPI_Win_unlock_all(win);\n    MPI_Win_free(&win);"
    print "    MPI_Finalize();\n    return 0;\n}"
}
