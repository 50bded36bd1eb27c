! Registered datatypes and operations from Fortran. 2 ranks.
program enrolled
    use mpi
    implicit none
    integer :: ierr, me, other, win, pairs, op, group, one(1), i
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer :: memory(8), mine(4)
    common /window/ memory    ! or a compiler keeps it in registers across MPI_WIN_FENCE
    external :: larger
    call MPI_INIT(ierr)
    call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
    other = 1 - me
    memory = [(i, i = 1, 8)]
    mine = [9, 1, 9, 1] + me
    call MPI_TYPE_VECTOR(4, 1, 2, MPI_INTEGER, pairs, ierr)
    call MPI_TYPE_COMMIT(pairs, ierr)
    call MPI_OP_CREATE(larger, .true., op, ierr)
    bytes = 32
    call MPI_WIN_CREATE(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_WIN_SET_ERRHANDLER(win, MPI_ERRORS_RETURN, ierr)
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)

    call MPI_WIN_FENCE(0, win, ierr)
    bytes = 0
    call MPI_ACCUMULATE(mine, 4, MPI_INTEGER, other, bytes, 1, pairs, op, win, ierr)
    call says(ierr /= MPI_SUCCESS, "an operation that is not registered is refused")
    call MPI_TYPE_REGISTER(pairs, MPI_COMM_WORLD, ierr)
    call says(ierr == MPI_SUCCESS, "MPI_TYPE_REGISTER is collective")
    call MPI_OP_REGISTER(op, MPI_COMM_WORLD, ierr)
    call MPI_WIN_FENCE(0, win, ierr)
    call MPI_ACCUMULATE(mine, 4, MPI_INTEGER, other, bytes, 1, pairs, op, win, ierr)
    call says(ierr == MPI_SUCCESS, "a registered one is not")
    call MPI_WIN_FENCE(0, win, ierr)
    call says(memory(1) == 9 + other .and. memory(3) == max(3, 1 + other) .and. memory(5) == 9 + other .and. memory(7) == 7, &
              "the function of the target is applied, element by element")
    call says(all(memory(2:8:2) == [2, 4, 6, 8]), "and to nothing else")

    call MPI_TYPE_FREE(pairs, ierr)
    call says(ierr /= MPI_SUCCESS, "a registered datatype is not freed before it is taken back")
    call MPI_TYPE_DEREG(pairs, MPI_COMM_WORLD, ierr)
    call MPI_OP_DEREG(op, MPI_COMM_WORLD, ierr)
    call MPI_TYPE_DEREG(pairs, MPI_COMM_WORLD, ierr)
    call says(ierr /= MPI_SUCCESS, "taking it back twice is an error")
    call MPI_COMM_GROUP(MPI_COMM_WORLD, group, ierr)
    one = other
    call MPI_GROUP_INCL(group, 1, one, group, ierr)
    call MPI_TYPE_REGISTER_SPARSE(pairs, group, MPI_COMM_WORLD, ierr)
    call says(ierr == MPI_SUCCESS, "over a group, the sparse form does the same")
    call MPI_TYPE_DEREG(pairs, MPI_COMM_WORLD, ierr)
    call MPI_TYPE_FREE(pairs, ierr)
    call says(ierr == MPI_SUCCESS .and. pairs == MPI_DATATYPE_NULL, "then it may be freed")
    call MPI_OP_FREE(op, ierr)
    call MPI_WIN_FREE(win, ierr)
    call MPI_FINALIZE(ierr)
contains
    subroutine says(right, what)
        logical, intent(in) :: right
        character(*), intent(in) :: what
        print '(2a)', merge('ok:     ', 'FAILED: ', right), what
    end subroutine
end program

! "MPI_User_function": its datatype is a handle, an integer in Fortran.
subroutine larger(in, inout, len, datatype)
    use mpi
    implicit none
    integer :: len, datatype, in(len), inout(len), i
    do i = 1, len
        if (datatype == MPI_INTEGER) inout(i) = max(in(i), inout(i))
    end do
end subroutine
