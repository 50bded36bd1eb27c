/* What tools and hybrid programs ask first: variables (MPI-4.1 chapter 15) and the level of
 * threads.
 */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, asked = -1, index, length = 0, main_thread = 0, number[3] = {-1, -1, -1};
    MPI_T_pvar_session session;
    int code = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    code |= MPI_T_cvar_get_num(&number[0]);
    code |= MPI_T_pvar_get_num(&number[1]);
    code |= MPI_T_category_get_num(&number[2]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_ranks);
    check(code == MPI_SUCCESS && !number[0] && !number[1] && !number[2],
          "there are no variables and no categories, asked before MPI_Init");
    check(MPI_T_cvar_get_index("eager_limit", &index) == MPI_T_ERR_INVALID_NAME &&
              MPI_T_category_get_info(0, NULL, &length, NULL, &length, &index, &index, &index) ==
                  MPI_T_ERR_INVALID_INDEX,
          "no name and no index is one of them");
    code = MPI_T_pvar_session_create(&session);
    check(code == MPI_SUCCESS && MPI_T_pvar_session_free(&session) == MPI_SUCCESS &&
              session == MPI_T_PVAR_SESSION_NULL,
          "a session begins and ends");
    MPI_Query_thread(&asked);
    MPI_Is_thread_main(&main_thread);
    check(provided == MPI_THREAD_FUNNELED && asked == provided && main_thread,
          "threads may be there as long as the main one alone calls MPI");
    MPI_T_finalize();
    return check_end();
}
