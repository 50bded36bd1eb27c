/* A program's thread-local variables begin a page. C's library takes their memory from the
 * simulator's heap, whose layout hangs on the length of names, and caches take a variable by its
 * place in a page. Both sections are empty: programs without such variables get none.
 */
__asm__(".pushsection .tdata,\"awT\",@progbits\n"
        ".balign 4096\n"
        ".popsection\n"
        ".pushsection .tbss,\"awT\",@nobits\n"
        ".balign 4096\n"
        ".popsection\n");
