/* Where the marks of functions (instrument/mark.cc) arrive while a profile is made: at any place of
 * the program, so every register is kept, and what lies below the stack pointer. Vector registers
 * too: what the profile needs of C's library uses them (XSAVE; Intel's manual, volume 1, chapter
 * 13). Where a function that has no prices yet is entered, the same.
 */
#include "program/program.h"

#include "probe/in_line/in_line.h"

#if defined __x86_64__

__attribute__((used, visibility("hidden"))) void __sw_marked(int kind, int function, uintptr_t stub,
                                                             uintptr_t stack, uintptr_t base);
void __sw_marked(int kind, int function, uintptr_t stub, uintptr_t stack, uintptr_t base)
{
    if (kind == PROBE_PRICE) /* its object was pushed before it */
        probe_calls.hook_price(*(const uintptr_t *)(stack - 128), (uint32_t)function);
    else
        probe_calls.hook_mark(kind, function, stub, stack, base);
}

/* The stub has left 128 bytes and pushed the function: 240 bytes lie between what rbx has here and
 * the stack pointer of the program. 3,072 bytes hold the state of 0xe7: all but the parts whose
 * registers no compiler uses unasked. */
__asm__(".text\n"
        "\t.hidden __sw_mark_enter, __sw_mark_leave, __sw_mark_resume, __sw_mark_price\n"
        "\t.globl __sw_mark_enter, __sw_mark_leave, __sw_mark_resume, __sw_mark_price\n"
        "__sw_mark_enter:\n\tpush $0\n\tjmp 1f\n"
        "__sw_mark_leave:\n\tpush $1\n\tjmp 1f\n"
        "__sw_mark_price:\n\tpush $3\n\tjmp 1f\n"
        "__sw_mark_resume:\n\tpush $2\n"
        "1:\tpushfq\n"
        "\tpush %rax\n\tpush %rcx\n\tpush %rdx\n\tpush %rsi\n\tpush %rdi\n"
        "\tpush %r8\n\tpush %r9\n\tpush %r10\n\tpush %r11\n\tpush %rbx\n"
        "\tmov %rsp, %rbx\n"
        "\tcld\n"
        "\tsub $3072, %rsp\n"
        "\tand $-64, %rsp\n"
        "\txor %eax, %eax\n"
        "\tmov %rax, 512(%rsp)\n\tmov %rax, 520(%rsp)\n\tmov %rax, 528(%rsp)\n"
        "\tmov %rax, 536(%rsp)\n\tmov %rax, 544(%rsp)\n\tmov %rax, 552(%rsp)\n"
        "\tmov %rax, 560(%rsp)\n\tmov %rax, 568(%rsp)\n"
        "\tmov $0xe7, %eax\n\txor %edx, %edx\n\txsave64 (%rsp)\n"
        "\tmov 88(%rbx), %rdi\n\tmov 104(%rbx), %rsi\n\tmov 96(%rbx), %rdx\n"
        "\tlea 240(%rbx), %rcx\n\tmov %rbp, %r8\n"
        "\tcall __sw_marked\n"
        "\tmov $0xe7, %eax\n\txor %edx, %edx\n\txrstor64 (%rsp)\n"
        "\tmov %rbx, %rsp\n"
        "\tpop %rbx\n\tpop %r11\n\tpop %r10\n\tpop %r9\n\tpop %r8\n"
        "\tpop %rdi\n\tpop %rsi\n\tpop %rdx\n\tpop %rcx\n\tpop %rax\n"
        "\tpopfq\n"
        "\tlea 8(%rsp), %rsp\n"
        "\tret\n");

#endif
