! Distributed graphs, neighbours, matched probes and external32, as 'mpif.h' and mpi_f08 have them: lines that are
! marked are those of the file. 2 ranks or more.
program topologies
  include 'mpif.h'   !mpif.h
  integer :: rank, ranks, ierr, next, last, kind, ins, outs, n, i
  integer :: from(2), to(2), in_weight(2), out_weight(2), given(2), many
  integer, asynchronous :: taken(2) ! MPI_Wait does not name it: else its loads may come before (MPI-3.1 17.1.16)
  integer(kind=MPI_ADDRESS_KIND) :: places(2)
  integer :: packed(4)
  logical :: weighted
  integer :: graph, ring, message, request, half, inter   !mpif.h
  integer :: status(MPI_STATUS_SIZE), types(2), sent   !mpif.h
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  next = mod(rank + 1, ranks)
  last = mod(rank + ranks - 1, ranks)

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [last, last], [5, 6], 2, [next, next], [5, 6], &
                                      MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Topo_test(graph, kind, ierr)
  call MPI_Dist_graph_neighbors_count(graph, ins, outs, weighted, ierr)
  call MPI_Dist_graph_neighbors(graph, 2, from, in_weight, 2, to, out_weight, ierr)
  call say(kind == MPI_DIST_GRAPH .and. ins == 2 .and. outs == 2 .and. weighted .and. from(2) == last .and. &
           to(1) == next .and. in_weight(1) == 5 .and. out_weight(2) == 6, 'a distributed graph is as it was made')
  given = [10 * rank, 10 * rank + 1]
  call MPI_Neighbor_alltoall(given, 1, MPI_INTEGER, taken, 1, MPI_INTEGER, graph, ierr)
  call say(all(taken == [10 * last, 10 * last + 1]), 'and its edges carry')
  call MPI_Comm_free(graph, ierr)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [next], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors_count(graph, ins, outs, weighted, ierr)
  call MPI_Dist_graph_neighbors(graph, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierr)
  call say(ins == 1 .and. .not. weighted .and. from(1) == last, 'MPI_UNWEIGHTED is no weight')
  call MPI_Comm_free(graph, ierr)

  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, ierr)
  call MPI_Topo_test(ring, kind, ierr)
  places = [4_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND]
  types = [MPI_INTEGER, MPI_INTEGER]
  call MPI_Ineighbor_alltoallw(given, [1, 1], places, types, taken, [1, 1], places, types, ring, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call say(kind == MPI_CART .and. taken(2) == 10 * last .and. taken(1) == 10 * next + 1, &
           'every neighbour may have a datatype')
  call MPI_Comm_free(ring, ierr)

  n = 7 * rank
  call MPI_Isend(n, 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD, sent, ierr)
  call MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, message, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, many, ierr)
  call MPI_Mrecv(i, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
  call say(i == 7 * last .and. many == 1 .and. message == MPI_MESSAGE_NULL, 'a matched message is received')
  call MPI_Wait(sent, MPI_STATUS_IGNORE, ierr)

  places = 0
  call MPI_Pack_external('external32', given, 2, MPI_INTEGER, packed, 16_MPI_ADDRESS_KIND, places(1), ierr)
  call MPI_Unpack_external('external32', packed, places(1), places(2), taken, 2, MPI_INTEGER, ierr)
  call say(places(1) == 8 .and. places(2) == 8 .and. all(taken == given), 'external32 is packed and unpacked')

  ! the first half and the others: the second rank there is the root
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, rank == 0), rank, half, ierr)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(1, 0, rank == 0), 5, inter, ierr)
  i = 0
  if (ranks > 2) i = 1
  if (rank > 0) i = merge(MPI_ROOT, MPI_PROC_NULL, rank == 1 + i)
  if (rank > 0) n = merge(77, -1, i == MPI_ROOT)
  call MPI_Bcast(n, 1, MPI_INTEGER, i, inter, ierr)
  call say(n == 77 .or. rank > 0, 'MPI_ROOT is no rank')
  call MPI_Finalize(ierr)
contains
  subroutine say(truth, what)
    logical, intent(in) :: truth
    character(len=*), intent(in) :: what
    if (.not. truth) print '(a)', 'FAILED: ' // what
    if (truth .and. rank == 0) print '(a)', 'ok: ' // what
  end subroutine
end program
