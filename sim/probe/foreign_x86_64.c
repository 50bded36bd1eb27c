/* foreign_x86_64: what stands between a program and a function that nobody instrumented: a piece of
 * code for each (System V ABI, AMD64 supplement: r11 is free at a call through the table). It calls
 * `enter` with the six registers of arguments as they are, and finds them so again.
 */
#include "world/rank/rank.h"
#include "probe/foreign.h"

#include "cpu/block_format/block_format.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* So many are there from the beginning: a program has some hundred. Each rank's copy of Fortran's
 * library has its own. */
enum { FIRST = 4096, MORE = 256 };
extern struct probe_foreign_slot probe_foreign_slots[FIRST] __attribute__((visibility("hidden")));
struct probe_foreign_slot probe_foreign_slots[FIRST];

/* Each piece is 16 bytes: the slot's address to r11, then on to the common part. */
extern char probe_foreign_pieces[] __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".balign 16\n"
        ".hidden probe_foreign_pieces\n"
        ".globl probe_foreign_pieces\n"
        "probe_foreign_pieces:\n"
        ".set slot, 0\n"
        ".rept 4096\n"
        ".balign 16\n"
        "lea probe_foreign_slots+32*slot(%rip), %r11\n"
        "jmp probe_foreign_common\n"
        ".set slot, slot+1\n"
        ".endr\n");
_Static_assert(sizeof(struct probe_foreign_slot) == 32 && FIRST == 4096, "the pieces above");

__attribute__((naked, visibility("hidden"), used)) void probe_foreign_common(void);

/* Further ones, anywhere in memory: their pieces are put together here. */
struct further {
    struct probe_foreign_slot slot; /* first */
    void (*common)(void);
};
enum { PIECE = 16 };
struct block {
    struct further slot[MORE];
    unsigned char *code; /* PIECE bytes each */
};
static GPtrArray *blocks;

/* movabs $slot, %r11; jmp *32(%r11) */
static void write_piece(unsigned char *to, const struct further *slot)
{
    static const unsigned char move[] = {0x49, 0xbb},
                               jump[] = {0x41, 0xff, 0x63, offsetof(struct further, common)};
    memcpy(to, move, sizeof move);
    memcpy(to + sizeof move, &slot, sizeof slot);
    memcpy(to + sizeof move + sizeof slot, jump, sizeof jump);
}

static struct block *new_block(void)
{
    struct block *b = g_new0(struct block, 1);
    const size_t bytes = (size_t)MORE * PIECE;
    b->code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b->code == MAP_FAILED) g_error("no memory for calls of libraries");
    for (int i = 0; i < MORE; i++) {
        b->slot[i].common = probe_foreign_common;
        write_piece(b->code + i * PIECE, &b->slot[i]);
    }
    if (mprotect(b->code, bytes, PROT_READ | PROT_EXEC) != 0)
        g_error("the code for calls of libraries may not be executed: %s", g_strerror(errno));
    return b;
}

static struct block *block_of(size_t i)
{
    if (!blocks) blocks = g_ptr_array_new();
    while ((i - FIRST) / MORE >= blocks->len) g_ptr_array_add(blocks, new_block());
    return g_ptr_array_index(blocks, (i - FIRST) / MORE);
}

struct probe_foreign_slot *probe_foreign_slot(size_t i)
{
    return i < FIRST ? &probe_foreign_slots[i] : &block_of(i)->slot[(i - FIRST) % MORE].slot;
}

void *probe_foreign_code(size_t i)
{
    return i < FIRST ? (void *)(probe_foreign_pieces + PIECE * i)
                     : block_of(i)->code + (i - FIRST) % MORE * PIECE;
}

/* Where the common part begins to ask: of so many registers; of none but `enter`. */
#define ENTRY(name)  extern const char name[] __attribute__((visibility("hidden")));
#define SEVEN(entry) entry(0) entry(1) entry(2) entry(3) entry(4) entry(5) entry(6)
#define DECLARE(n)   ENTRY(probe_foreign_arguments_##n) ENTRY(probe_foreign_leads_##n)
SEVEN(DECLARE)
ENTRY(probe_foreign_closer)
#define ARGUMENTS_OF(n) probe_foreign_arguments_##n,
#define LEADS_OF(n)     probe_foreign_leads_##n,
static const char *const arguments_of[] = {SEVEN(ARGUMENTS_OF)}, *const leads_of[] = {
                                                                     SEVEN(LEADS_OF)};

void probe_foreign_words(size_t i, unsigned words)
{
    struct probe_foreign_slot *slot = probe_foreign_slot(i);
    slot->registers = words & ~(unsigned)BLOCK_WORDS_STACK;
    slot->stack = (words & BLOCK_WORDS_STACK) != 0;
    const guint registers = g_bit_storage(slot->registers) * (slot->registers > 0);
    slot->leads = leads_of[registers];
    slot->arguments = slot->kind == PROBE_FOREIGN_MPI || slot->beside ? probe_foreign_closer
                                                                      : arguments_of[registers];
}

/* The registers of floating point hold arguments, too. */
#define WITHOUT_FLOATS __attribute__((target("general-regs-only")))
#define INSIDE         static inline __attribute__((always_inline)) WITHOUT_FLOATS

/* Words of the arguments that are on the stack, those of a structure or a list that an argument
 * points to. */
enum { REGISTERS = 6, STACK_WORDS = 8, WORDS = 16, PAGE = 4096 };
_Static_assert(REGISTERS + STACK_WORDS == MEM_FOREIGN_WORDS, "mem/access/foreign.h");

/* What lies between two segments, and where, is the host's choice. */
INSIDE bool inside(const struct mem_cpu *cpu, uintptr_t x)
{
    return x - cpu->foreign.low < cpu->foreign.bytes && mem_foreign_segment(cpu, x);
}

/* May the rest of its page be read? Variables of the program, and what its frames have on the
 * stack. */
INSIDE bool readable(const struct mem_cpu *cpu, uintptr_t x, uintptr_t sp)
{
    return !(x & 7) && (x - cpu->code_base < cpu->code_end - cpu->code_base ||
                        (x >= sp && x < cpu->foreign.stack));
}

/* Does memory at x hold an address of a segment, or that of memory which does? */
INSIDE bool leads_inside(const struct mem_cpu *cpu, uintptr_t x, uintptr_t sp)
{
    if (!readable(cpu, x, sp)) return false;
    const uintptr_t *word = (const uintptr_t *)x;
    for (int i = 0; i < WORDS && ((uintptr_t)(word + i) ^ x) < PAGE; i++) {
        if (inside(cpu, word[i])) return true;
        if (!readable(cpu, word[i], sp)) continue;
        const uintptr_t *next = (const uintptr_t *)word[i];
        for (int k = 0; k < WORDS && ((uintptr_t)(next + k) ^ word[i]) < PAGE; k++)
            if (inside(cpu, next[k])) return true;
    }
    return false;
}

/* mem_foreign_lasts */
INSIDE bool lasts(const struct mem_foreign *f, uintptr_t here)
{
    return here < f->sp && *(const uintptr_t *)(f->sp - sizeof(uintptr_t)) == f->pc;
}

/* The call at pc was handed an address of a segment, perhaps. */
INSIDE void add(struct mem_foreign *f, uintptr_t addr, const uintptr_t *stack, bool mpi, bool known)
{
    const uintptr_t pc = stack[-1];
    if (f->n > 0 && f->at[f->n - 1].addr == addr && f->at[f->n - 1].pc == pc) return;
    if (f->n == MEM_FOREIGN_MOST) { /* whatever it may be */
        f->reaches = true;
        f->pc = pc;
        f->sp = (uintptr_t)stack;
        return;
    }
    f->at[f->n].addr = addr;
    f->at[f->n].pc = pc;
    f->at[f->n].sp = (uintptr_t)stack;
    f->at[f->n].known = known;
    f->at[f->n++].mpi = mpi;
}

/* The call begins: the check is to know its arguments. */
INSIDE void ask(struct mem_cpu *cpu, uint16_t number, const uintptr_t *given,
                const uintptr_t *stack)
{
    struct mem_foreign *f = &cpu->foreign;
    f->asked.number = number;
    f->asked.pc = stack[-1];
    f->asked.sp = (uintptr_t)stack;
    for (int i = 0; i < REGISTERS; i++) f->asked.word[i] = given[i];
    for (int i = 0; i < STACK_WORDS; i++)
        f->asked.word[REGISTERS + i] = (uintptr_t)(stack + i) < f->stack ? stack[i] : 0;
    world_beside_begins(cpu);
}

/* Called with a call's arguments: six registers; the slot; those on the stack, below which lies
 * where the call returns to. */
WITHOUT_FLOATS __attribute__((no_caller_saved_registers, visibility("hidden"), used)) void
probe_foreign_enter(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t g,
                    const struct probe_foreign_slot *slot, const uintptr_t *stack);
void probe_foreign_enter(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,
                         uintptr_t g, const struct probe_foreign_slot *slot, const uintptr_t *stack)
{
    struct mem_cpu *cpu = (struct mem_cpu *)((uintptr_t)&world_nobody + (uintptr_t)world_offset);
    struct mem_foreign *f = &cpu->foreign;
    mem_quiet_end(cpu);
    if (f->bytes == 0) return;
    for (uint32_t i = 0; i < f->n; i++) /* where this one stands, it has returned */
        if (f->at[i].sp <= (uintptr_t)stack) f->at[i].sp = 0;
    const bool mpi = slot->kind == PROBE_FOREIGN_MPI, known = slot->beside;
    const uintptr_t given[] = {a, b, c, d, e, g};
    const uint32_t before = f->n;
    for (unsigned i = 0, left = slot->registers; left; i++, left >>= 1)
        if (left & 1 && inside(cpu, given[i])) add(f, given[i], stack, mpi, known);
    for (int i = 0; slot->stack && i < STACK_WORDS && (uintptr_t)(stack + i) < f->stack; i++)
        if (inside(cpu, stack[i])) add(f, stack[i], stack, mpi, known);
    if (slot->beside) ask(cpu, slot->beside, given, stack);
    if (mpi) return;
    for (unsigned i = 0, left = f->fills_bytes && !known ? slot->registers : 0; left;
         i++, left >>= 1)
        if (left & 1 && given[i] - f->fills < f->fills_bytes && f->filled < MEM_FOREIGN_FILLED) {
            f->fill[f->filled].addr = given[i];
            f->fill[f->filled++].pc = stack[-1];
        }
    if (!f->pc || !lasts(f, (uintptr_t)stack)) {
        f->pc = stack[-1];
        f->sp = (uintptr_t)stack;
    }
    if (f->n > before && slot->kind == PROBE_FOREIGN_KEEPS) f->keeps = true;
    if (f->reaches || f->bytes <= MEM_FOREIGN_SMALL) return;
    for (unsigned i = 0, left = slot->registers; left && !f->reaches; i++, left >>= 1)
        f->reaches = left & 1 && leads_inside(cpu, given[i], (uintptr_t)stack);
}

/* The common part. Most calls hand over no address of a segment, and nothing that could lead to
 * one: then all there is to do is to note the call. Four registers serve for that; r11 has the
 * slot's address at first. Whatever else there may be is `enter`'s, which asks the same more
 * precisely.
 */
#define FIELD(name) [name] "i"(offsetof(struct mem_cpu, foreign.name))
/* Is it between two addresses? The lower one, negated, is in r11, their distance in rbx. */
#define CHECK(word)                                                                                \
    "lea (%%" word ",%%r11), %%r10\n"                                                              \
    "cmp %%rbx, %%r10\n"                                                                           \
    "jb 2f\n"
/* From the last register that the function has on, the first one last. */
#define FROM(what, n) "probe_foreign_" what "_" #n ":\n"
#define ARGUMENTS                                                                                  \
    "mov 24(%%rsp), %%r10\n" /* the slot */                                                        \
    "jmp *%c[arguments](%%r10)\n" FROM("arguments", 6) CHECK("r9") FROM("arguments", 5)            \
        CHECK("r8") FROM("arguments", 4) CHECK("rcx") FROM("arguments", 3) CHECK("rdx")            \
            FROM("arguments", 2) CHECK("rsi") FROM("arguments", 1) CHECK("rdi")                    \
                FROM("arguments", 0)
#define CHECK_AT(place)                                                                            \
    "mov " place "(%%rsp), %%r10\n"                                                                \
    "add %%r11, %%r10\n"                                                                           \
    "cmp %%rbx, %%r10\n"                                                                           \
    "jb 2f\n"
#define ENTER                                                                                      \
    "movb $1, %c[called](%%r11)\n"                                                                 \
    "push %%r11\n"                                                                                 \
    "push %%rax\n"                                                                                 \
    "push %%r10\n"                                                                                 \
    "push %%rbx\n"                                                                                 \
    "mov world_offset@gottpoff(%%rip), %%rax\n"                                                    \
    "mov %%fs:(%%rax), %%rax\n"                                                                    \
    "add world_nobody@GOTPCREL(%%rip), %%rax\n"                                                    \
    "mov %c[bytes](%%rax), %%rbx\n"                                                                \
    "test %%rbx, %%rbx\n"                                                                          \
    "je 1f\n"                                                                                      \
    "cmpq $0, %c[fills_bytes](%%rax)\n"                                                            \
    "jne 2f\n"                                                                                     \
    "xor %%r11d, %%r11d\n"                                                                         \
    "sub %c[low](%%rax), %%r11\n"
/* In small segments all is compared, whatever a call that keeps no pointer was handed; MPI's calls
 * all go to `enter`. */
#define ON_STACK                                                                                   \
    "mov 24(%%rsp), %%r10\n"                                                                       \
    "cmpb $0, %c[on_stack](%%r10)\n"                                                               \
    "je 9f\n"                                                                                      \
    "cmpq %[small], %%rbx\n"                                                                       \
    "ja 4f\n"                                                                                      \
    "cmpb %[plain], %c[kind](%%r10)\n"                                                             \
    "je 7f\n"                                                                                      \
    "4: lea 104(%%rsp), %%r10\n" /* eight words above the return address */                        \
    "cmp %c[stack](%%rax), %%r10\n"                                                                \
    "ja 2f\n" CHECK_AT("40") CHECK_AT("48") CHECK_AT("56") CHECK_AT("64") CHECK_AT("72")           \
        CHECK_AT("80") CHECK_AT("88") CHECK_AT("96")
/* Large segments are compared only where a call can have found them: by memory at an argument. */
#define READABLE(reg, low)                                                                         \
    "test $7, %%" low "\n"                                                                         \
    "jne 5f\n"                                                                                     \
    "cmp %c[stack](%%rax), %%" reg "\n"                                                            \
    "jae 6f\n"                                                                                     \
    "cmp %%rsp, %%" reg "\n"                                                                       \
    "jae 2f\n"                                                                                     \
    "6: cmp %c[code_end](%%rax), %%" reg "\n"                                                      \
    "jae 5f\n"                                                                                     \
    "cmp %c[code_base](%%rax), %%" reg "\n"                                                        \
    "jae 2f\n"                                                                                     \
    "5:\n"
#define LEADS_NOWHERE                                                                              \
    "9: cmpq %[small], %%rbx\n"                                                                    \
    "jbe 7f\n"                                                                                     \
    "cmpb $0, %c[reaches](%%rax)\n"                                                                \
    "jne 7f\n"                                                                                     \
    "mov 24(%%rsp), %%r10\n"                                                                       \
    "jmp *%c[leads](%%r10)\n" FROM("leads", 6) READABLE("r9", "r9b") FROM("leads", 5)              \
        READABLE("r8", "r8b") FROM("leads", 4) READABLE("rcx", "cl") FROM("leads", 3)              \
            READABLE("rdx", "dl") FROM("leads", 2) READABLE("rsi", "sil") FROM("leads", 1)         \
                READABLE("rdi", "dil") FROM("leads", 0)
#define NOTE                                                                                       \
    "7: lea 40(%%rsp), %%r10\n" /* the stack above the return address */                           \
    "cmp %c[sp](%%rax), %%r10\n"                                                                   \
    "jae 3f\n" /* an earlier call has returned */                                                  \
    "mov %c[sp](%%rax), %%r10\n"                                                                   \
    "mov -8(%%r10), %%r10\n"                                                                       \
    "cmp %c[pc](%%rax), %%r10\n"                                                                   \
    "je 1f\n" /* it lasts (mem_foreign_lasts), and stands for this one too */                      \
    "lea 40(%%rsp), %%r10\n"                                                                       \
    "3: mov %%r10, %c[sp](%%rax)\n"                                                                \
    "mov 32(%%rsp), %%r10\n"                                                                       \
    "mov %%r10, %c[pc](%%rax)\n"
#define GO_ON                                                                                      \
    "1: pop %%rbx\n"                                                                               \
    "pop %%r10\n"                                                                                  \
    "pop %%rax\n"                                                                                  \
    "pop %%r11\n"                                                                                  \
    "jmp *(%%r11)\n"
#define LOOK_CLOSER                                                                                \
    "probe_foreign_closer:\n2: pop %%rbx\n"                                                        \
    "pop %%r10\n"                                                                                  \
    "pop %%rax\n" /* the slot is on the stack */                                                   \
    "lea 16(%%rsp), %%r11\n"                                                                       \
    "push %%r11\n"                                                                                 \
    "push 8(%%rsp)\n"                                                                              \
    "call probe_foreign_enter\n"                                                                   \
    "add $16, %%rsp\n"                                                                             \
    "pop %%r11\n"                                                                                  \
    "jmp *(%%r11)\n"

void probe_foreign_common(void)
{
    __asm__(
        ENTER ARGUMENTS ON_STACK LEADS_NOWHERE NOTE GO_ON LOOK_CLOSER
        :
        : FIELD(low), FIELD(bytes), FIELD(fills_bytes), FIELD(pc), FIELD(sp), FIELD(stack),
          FIELD(reaches), [code_base] "i"(offsetof(struct mem_cpu, code_base)),
          [code_end] "i"(offsetof(struct mem_cpu, code_end)), [small] "i"(MEM_FOREIGN_SMALL),
          [plain] "i"(PROBE_FOREIGN_PLAIN), [kind] "i"(offsetof(struct probe_foreign_slot, kind)),
          [on_stack] "i"(offsetof(struct probe_foreign_slot, stack)),
          [called] "i"(offsetof(struct probe_foreign_slot, called)),
          [arguments] "i"(offsetof(struct probe_foreign_slot, arguments)),
          [leads] "i"(offsetof(struct probe_foreign_slot, leads)));
}
