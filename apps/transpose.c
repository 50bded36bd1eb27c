/* The transpose of transpose.h with an ordinary datatype. */
#include "transpose.h"

int main(int argc, char **argv) { return transpose(argc, argv, "transpose", NULL, NULL); }
