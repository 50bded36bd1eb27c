/* The transpose of transpose.h with a registered datatype: every rank puts with it, and every rank is a target. */
#include "type_register.h"

#include "transpose.h"

int main(int argc, char **argv) { return transpose(argc, argv, "transpose_register", MPI_Type_register, MPI_Type_dereg); }
