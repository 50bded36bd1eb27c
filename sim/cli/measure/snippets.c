/* The bytes of the snippets, as the assembler makes them: of each and each instance a record, its
 * length and the bytes. */
#include "cli/measure/snippets.h"

#ifdef __x86_64__
/* clang-format off */
#define SNIPPET(name, text) \
    ".macro cli_one r d x i\n" \
    ".byte 92f-91f\n" \
    "91: " text "\n" \
    "92: .balign 32, 0\n" \
    ".endm\n" \
    "cli_one rbx ebx xmm0 0\n" "cli_one rbp ebp xmm1 1\n" "cli_one r8 r8d xmm2 2\n" \
    "cli_one r9 r9d xmm3 3\n" "cli_one r10 r10d xmm4 4\n" "cli_one r11 r11d xmm5 5\n" \
    "cli_one r12 r12d xmm6 6\n" "cli_one r13 r13d xmm7 7\n" \
    ".purgem cli_one\n"
__asm__(".pushsection .rodata\n"
        ".intel_syntax noprefix\n"
        ".balign 32\n"
        "cli_snippet_bytes:\n"
#include "cli/measure/snippets.def"
        ".att_syntax prefix\n"
        ".popsection\n");
#undef SNIPPET
/* clang-format on */
extern const unsigned char cli_snippet_bytes[CLI_SNIPPETS][CLI_INSTANCES][CLI_SNIPPET_BYTES]
    __attribute__((visibility("hidden")));

const unsigned char *cli_snippet(enum cli_snippet snippet, int instance)
{
    return cli_snippet_bytes[snippet][instance];
}
bool cli_code_has_fma(void) { return __builtin_cpu_supports("fma"); }
int cli_code_vector_bytes(void) { return __builtin_cpu_supports("avx2") ? 32 : 16; }
#else
const unsigned char *cli_snippet(enum cli_snippet snippet, int instance)
{
    (void)snippet, (void)instance;
    return NULL;
}
bool cli_code_has_fma(void) { return false; }
int cli_code_vector_bytes(void) { return 0; }
#endif
