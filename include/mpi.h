/* MPI, as SMPI declares it. SMPI's own <mpi.h> brings SimGrid's macros along (SEED, assert), and
 * assumes more of POSIX than -std=c11 declares: here are only the declarations. */
#ifndef SIDEWINDER_MPI_H
#define SIDEWINDER_MPI_H

#include <sys/types.h>
#include <time.h>
#ifndef __useconds_t_defined
typedef __useconds_t useconds_t;
#define __useconds_t_defined
#endif
#ifndef __clockid_t_defined
typedef __clockid_t clockid_t;
#define __clockid_t_defined 1
#endif
struct timezone;

#ifndef MPI_H
#define MPI_H
#endif
/* SMPI declares every call weak, as ours are. A tool's own MPI_X would be, too, and a program would
 * take none from an archive. */
#ifndef SIDEWINDER_DIALECT
#pragma push_macro("weak")
#undef weak
#define weak
#endif
/* SMPI 4's lacks a const (MPI 4.1, 4.2.2): mpi_newer.h has the standard's. */
#define MPI_Pready_list smpi_pready_list
#include <smpi/smpi.h>
#undef MPI_Pready_list
#ifndef SIDEWINDER_DIALECT
#pragma pop_macro("weak")
#endif

/* SMPI 3.32 gives the first one four bytes, in C alone, and has none of C++. */
#undef MPI_INTEGER1
#define MPI_INTEGER1 MPI_INT8_T
#undef MPI_CXX_BOOL
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX
#define MPI_CXX_BOOL                MPI_C_BOOL
#define MPI_CXX_FLOAT_COMPLEX       MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX      MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX

/* SMPI's are the same as MPI_MESSAGE_NULL, and as the root that has rank 0. */
#undef MPI_MESSAGE_NO_PROC
#define MPI_MESSAGE_NO_PROC ((MPI_Message)1)
#undef MPI_ROOT
#define MPI_ROOT (-3)

/* A status in Fortran (MPI-3.1 17.2.5). */
#define MPI_F_STATUS_SIZE MPI_STATUS_SIZE
#define MPI_F_SOURCE      0
#define MPI_F_TAG         1
#define MPI_F_ERROR       2

#include "mpi_large.h"
#include "mpi_newer.h"
#include "mpi_tool.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
#include "mpi_profile.h"
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
