/* Recognises an aggregate copy by the code behind its store hook.
 *
 * `*p = *q` compiles to: call the store's hook; put q into %rdi (and the size into %esi); call the
 * load's hook; copy. Any other store is made before the next hook is called, since hooks are opaque
 * to the compiler. So: follow the instructions; a call of a load hook before any write to memory
 * means a copy. Programs are compiled with -fno-plt, so the call is `call *slot(%rip)`. Instruction
 * forms: Intel SDM volume 2, chapter 2 and appendix A. A form not listed ends the walk with "no
 * copy".
 */
#include "probe/copies.h"

#include "probe/hooks.h"

#include <string.h>

struct probe_announced probe_announced;

#if defined __x86_64__

enum { INSTRUCTIONS_MAX = 64, KNOWN = 1024 }; /* KNOWN: a power of two */

/* How an opcode uses its operands. */
enum form {
    OTHER = 0, /* not followed */
    ALONE,     /* no operand */
    READS,     /* ModRM; memory, if any, is read */
    READS_8,   /* the same and one immediate byte */
    READS_32,  /* the same and four */
    TO_MODRM,  /* ModRM; memory, if any, is written */
    TO_MODRM_8,
    TO_MODRM_32,
    COMPARES,  /* ModRM is read whatever the direction */
    IMMEDIATE, /* 4 bytes, 8 with REX.W */
};

static enum form one_byte(uint8_t op)
{
    if (op >= 0xb8 && op <= 0xbf) return IMMEDIATE;
    if (op < 0x40 && (op & 7) <= 3) { /* add or adc sbb and sub xor cmp */
        if (op >= 0x38) return COMPARES;
        return op & 2 ? READS : TO_MODRM;
    }
    switch (op) {
    case 0x63:
    case 0x8a:
    case 0x8b:
    case 0x8d: return READS;
    case 0x84:
    case 0x85: return COMPARES;
    case 0x69: return READS_32;
    case 0x6b: return READS_8;
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6: return TO_MODRM_8;
    case 0x81:
    case 0xc7: return TO_MODRM_32;
    case 0x88:
    case 0x89:
    case 0xd1:
    case 0xd3: return TO_MODRM;
    case 0x90:
    case 0x98:
    case 0x99: return ALONE;
    default: return OTHER;
    }
}

static enum form two_byte(uint8_t op)
{
    if (op >= 0x40 && op <= 0x4f) return READS; /* cmov */
    switch (op) {
    case 0x10:
    case 0x12:
    case 0x14:
    case 0x16:
    case 0x1f:
    case 0x28:
    case 0x2a:
    case 0x2c:
    case 0x2d:
    case 0x2e:
    case 0x2f:
    case 0x51:
    case 0x54:
    case 0x57:
    case 0x58:
    case 0x59:
    case 0x5a:
    case 0x5c:
    case 0x5d:
    case 0x5e:
    case 0x5f:
    case 0x6c:
    case 0x6e:
    case 0x6f:
    case 0xaf:
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
    case 0xd4:
    case 0xef:
    case 0xfa:
    case 0xfe: return READS;
    case 0x70:
    case 0xc6: return READS_8;
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x7e:
    case 0x7f:
    case 0xd6: return TO_MODRM;
    default: return OTHER;
    }
}

struct operand {
    size_t bytes;
    bool memory, spill;
}; /* spill: at the stack pointer, where the compiler keeps its own */

static struct operand operand(const uint8_t *p)
{
    uint8_t mod = p[0] >> 6, rm = p[0] & 7;
    struct operand o = {.bytes = 1, .memory = mod != 3};
    if (mod == 3) return o;
    if (rm == 4) {
        o.bytes++;
        o.spill = (p[1] & 0x3f) == 0x24; /* no index, base %rsp */
        if (mod == 0 && (p[1] & 7) == 5) o.bytes += 4;
    } else if (mod == 0 && rm == 5) {
        o.bytes += 4;
    }
    if (mod == 1) o.bytes += 1;
    if (mod == 2) o.bytes += 4;
    return o;
}

static bool calls_a_load_hook(const uint8_t *p) /* behind ff 15 */
{
    int32_t offset;
    const void *slot_target;
    memcpy(&offset, p, sizeof offset);
    memcpy(&slot_target, p + sizeof offset + offset, sizeof slot_target);
    return probe_is_load_hook(slot_target);
}

static bool walk(const uint8_t *p)
{
    for (int n = 0; n < INSTRUCTIONS_MAX; n++) {
        bool wide = false;
        while (*p == 0x66 || *p == 0xf2 || *p == 0xf3) p++;
        if ((*p & 0xf0) == 0x40) wide = *p++ & 8;
        if (p[0] == 0xff && p[1] == 0x15) return calls_a_load_hook(p + 2);
        bool two = *p == 0x0f;
        if (two) p++;
        uint8_t op = *p++;
        enum form form = two ? two_byte(op) : one_byte(op);
        if (form == OTHER) return false;
        if (form == ALONE) continue;
        if (form == IMMEDIATE) {
            p += wide ? 8 : 4;
            continue;
        }
        struct operand o = operand(p);
        bool writes = form == TO_MODRM || form == TO_MODRM_8 || form == TO_MODRM_32;
        if (writes && o.memory && !o.spill) return false;
        p += o.bytes;
        if (form == READS_8 || form == TO_MODRM_8) p += 1;
        if (form == READS_32 || form == TO_MODRM_32) p += 4;
    }
    return false;
}

bool probe_copy_follows(uintptr_t pc)
{
    /* place << 1 | answer; the walk is some hundred instructions, the store hook is hot */
    static uint64_t known[KNOWN];
    uint64_t *slot = &known[(pc ^ pc >> 12) & (KNOWN - 1)];
    if (G_UNLIKELY(*slot >> 1 != pc)) *slot = (uint64_t)pc << 1 | walk((const uint8_t *)pc);
    return *slot & 1;
}

#else

/* Not known how to tell: a copy is then played store first, and on a machine without coherence the
 * image may miss its bytes. */
bool probe_copy_follows(uintptr_t pc)
{
    (void)pc;
    return false;
}

#endif
