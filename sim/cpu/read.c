/* Reads the records of a section (block_format.h). Every index is checked here: the rest of the
 * room trusts them. Left out: records of other versions. */
#include "cpu/cpu.h"

#include <string.h>

struct reader {
    const unsigned char *bytes, *at, *end;
    const char *where, *wrong; /* wrong: the first thing that was */
    struct cpu_object *object;
    uint32_t file; /* of the operation before */
};

/* Whatever is read after the first error is 0. */
static uint64_t bad(struct reader *r, const char *what)
{
    if (!r->wrong) r->wrong = what;
    return 0;
}

static uint64_t fixed(const unsigned char *at, int bytes)
{
    uint64_t n = 0;
    for (int i = bytes - 1; i >= 0; i--) n = n << 8 | at[i];
    return n;
}

static unsigned char byte(struct reader *r)
{
    if (r->wrong || r->at == r->end) return (unsigned char)bad(r, "it ends too early");
    return *r->at++;
}

static uint64_t number(struct reader *r)
{
    uint64_t n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned char b = byte(r);
        n |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) return n;
    }
    return bad(r, "a number of more than 64 bits");
}

static uint32_t below(struct reader *r, uint64_t limit, const char *what)
{
    uint64_t n = number(r);
    return n < limit ? (uint32_t)n : (uint32_t)bad(r, what);
}

static uint32_t moved(struct reader *r, uint32_t from)
{
    uint64_t d = number(r);
    return d & 1 ? from - (uint32_t)(d >> 1) - 1 : from + (uint32_t)(d >> 1);
}

/* How many of something; each takes a byte at least, so that a broken count is no memory. */
static uint32_t count(struct reader *r)
{
    return below(r, (uint64_t)(r->end - r->at) + 1, "more things than bytes");
}

static const char *text(struct reader *r)
{
    uint32_t length = count(r);
    if (r->wrong) return "";
    const char *t = g_string_chunk_insert_len(r->object->text, (const char *)r->at, length);
    r->at += length;
    return t;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static void read_operand(struct reader *r, uint32_t k, bool phi)
{
    uint64_t n = number(r);
    struct cpu_operand o = {.where = n & 7, .k = (uint32_t)(n >> 3)};
    if (o.where >= BLOCK_WHERES) bad(r, "an operand from nowhere");
    if (o.where == BLOCK_THERE) o.block = below(r, r->object->blocks, "a block out of range");
    if (o.where == BLOCK_HERE && o.k >= k && !phi) bad(r, "an operand made later");
    g_array_append_val(r->object->operand, o);
}

static void read_access(struct reader *r, struct cpu_op *op)
{
    op->site = (uint32_t)number(r);
    op->form = below(r, BLOCK_FORMS, "an unknown form of address");
    op->bytes = (uint32_t)number(r);
}

static void read_op(struct reader *r, uint32_t k, uint32_t *line)
{
    struct cpu_op op = {.class = byte(r), .type = byte(r), .flags = (uint32_t)number(r)};
    if (op.class >= BLOCK_CLASSES) bad(r, "an unknown class of operation");
    op.line = *line = moved(r, *line);
    if (op.flags & BLOCK_OTHER_FILE) r->file = below(r, r->object->file->len, "an unknown file");
    op.file = r->file;
    op.first_operand = r->object->operand->len;
    op.operands = count(r);
    for (uint32_t i = 0; i < op.operands && !r->wrong; i++)
        read_operand(r, k, op.class == BLOCK_PHI);
    if (op.flags & BLOCK_FORWARDED && op.operands > 0) op.stored = op.first_operand + --op.operands;
    if (op.class == BLOCK_CONVERT) op.from_type = byte(r);
    if (op.class == BLOCK_LOAD || op.class == BLOCK_STORE || op.class == BLOCK_ATOMIC)
        read_access(r, &op);
    if (op.flags & BLOCK_AGAIN) {
        op.again = (uint32_t)number(r);
        op.loaded = below(r, MAX(k, 1), "a load behind its store");
    }
    if (op.flags & (BLOCK_PREDICTED | BLOCK_COUNTED | BLOCK_BEGUN)) op.site = (uint32_t)number(r);
    if (op.flags & BLOCK_TIMES) op.times = number(r);
    if (op.class == BLOCK_CALL) {
        op.callee = text(r);
        op.words = (uint8_t)below(r, BLOCK_WORDS_ALL + 1, "words no call has");
    }
    g_array_append_val(r->object->op, op);
}

static void read_block(struct reader *r, uint32_t *line)
{
    struct cpu_object *object = r->object;
    struct cpu_block block = {.flags = (uint32_t)number(r),
                              .first_successor = object->successor->len,
                              .first_op = object->op->len};
    block.successors = count(r);
    for (uint32_t i = 0; i < block.successors && !r->wrong; i++) {
        struct cpu_successor s = {.block = below(r, object->blocks, "a successor out of range")};
        s.probability = below(r, BLOCK_PROBABILITY + 1, "a probability above 1");
        g_array_append_val(object->successor, s);
    }
    *line = moved(r, *line);
    block.ops = count(r);
    for (uint32_t i = 0; i < block.ops && !r->wrong; i++) read_op(r, i, line);
    g_array_append_val(object->block, block);
}

static void read_function(struct reader *r)
{
    struct cpu_function f = {.name = text(r)};
    f.file = r->file = below(r, r->object->file->len, "an unknown file");
    f.line = (uint32_t)number(r);
    f.flags = (uint32_t)number(r);
    f.first = (uint32_t)number(r);
    f.blocks = count(r);
    if (f.first != r->object->block->len) bad(r, "functions out of order");
    uint32_t line = f.line;
    for (uint32_t i = 0; i < f.blocks && !r->wrong; i++) read_block(r, &line);
    g_array_append_val(r->object->function, f);
}

/* BLOCK_THERE and BLOCK_PREVIOUS may name what comes later. */
static void check_operands(struct reader *r)
{
    const struct cpu_object *object = r->object;
    for (uint32_t b = 0; b < object->block->len; b++) {
        const struct cpu_block *block = &g_array_index(object->block, struct cpu_block, b);
        for (uint32_t i = 0; i < block->ops; i++) {
            const struct cpu_op *op =
                &g_array_index(object->op, struct cpu_op, block->first_op + i);
            for (uint32_t j = 0; j < op->operands + (op->stored > 0); j++) {
                const struct cpu_operand *o =
                    &g_array_index(object->operand, struct cpu_operand, op->first_operand + j);
                const struct cpu_block *from =
                    o->where == BLOCK_THERE
                        ? &g_array_index(object->block, struct cpu_block, o->block)
                        : block;
                if ((o->where == BLOCK_THERE || o->where == BLOCK_PREVIOUS ||
                     o->where == BLOCK_HERE) &&
                    o->k >= from->ops)
                    bad(r, "an operand that no operation makes");
            }
        }
    }
}

/* The callees: functions that one of the objects describes, and of the others the library's. */
static void find_callees(const GPtrArray *objects)
{
    g_autoptr(GHashTable) own = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t o = 0; o < objects->len; o++) {
        const struct cpu_object *object = objects->pdata[o];
        for (uint32_t i = 0; i < object->function->len; i++)
            g_hash_table_add(own,
                             (char *)g_array_index(object->function, struct cpu_function, i).name);
    }
    for (uint32_t o = 0; o < objects->len; o++) {
        const struct cpu_object *object = objects->pdata[o];
        for (uint32_t i = 0; i < object->op->len; i++) {
            struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
            if (!op->callee) continue;
            op->described = g_hash_table_contains(own, op->callee);
            op->library = op->described ? NULL : cpu_library_find(op->callee);
        }
    }
}

static void read_stream(struct reader *r)
{
    r->object->optimisation = (uint32_t)number(r);
    uint32_t files = count(r);
    for (uint32_t i = 0; i < files && !r->wrong; i++)
        g_ptr_array_add(r->object->file, (char *)text(r));
    uint32_t functions = count(r);
    for (uint32_t i = 0; i < functions && !r->wrong; i++) read_function(r);
    if (!r->wrong && r->object->block->len != r->object->blocks) bad(r, "blocks are missing");
    if (!r->wrong) check_operands(r);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct cpu_object *object_new(const unsigned char *head)
{
    struct cpu_object *object = g_new0(struct cpu_object, 1);
    object->identity = fixed(head + 16, 8);
    object->blocks = (uint32_t)fixed(head + 24, 4);
    object->compiler = (uint32_t)fixed(head + 28, 4);
    object->file = g_ptr_array_new();
    object->function = g_array_new(FALSE, FALSE, sizeof(struct cpu_function));
    object->block = g_array_new(FALSE, FALSE, sizeof(struct cpu_block));
    object->op = g_array_new(FALSE, FALSE, sizeof(struct cpu_op));
    object->operand = g_array_new(FALSE, FALSE, sizeof(struct cpu_operand));
    object->successor = g_array_new(FALSE, FALSE, sizeof(struct cpu_successor));
    object->text = g_string_chunk_new(256);
    return object;
}

void cpu_object_free(struct cpu_object *object)
{
    if (!object) return;
    g_ptr_array_unref(object->file);
    g_array_unref(object->function);
    g_array_unref(object->block);
    g_array_unref(object->op);
    g_array_unref(object->operand);
    g_array_unref(object->successor);
    g_string_chunk_free(object->text);
    g_free(object);
}

/* Bytes of the record at `at`; 0: it is none, *wrong says why. */
static size_t record_size(const unsigned char *at, size_t left, const char **wrong)
{
    *wrong = "not a description of blocks";
    if (left < BLOCK_HEAD || memcmp(at, BLOCK_MAGIC, 8) != 0) return 0;
    *wrong = "a description of another version; compile it again";
    if (fixed(at + 8, 4) != BLOCK_VERSION) return 0;
    *wrong = "a description that is cut off";
    size_t size = fixed(at + 12, 4);
    return size >= BLOCK_HEAD && size <= left && size % 8 == 0 ? size : 0;
}

bool cpu_read(const unsigned char *bytes, size_t length, const char *where, GPtrArray *objects,
              GError **error)
{
    static const unsigned char padding[8];
    for (size_t at = 0; at < length;) {
        if (length - at >= 8 && memcmp(bytes + at, padding, 8) == 0) {
            at += 8;
            continue;
        }
        struct reader r = {.bytes = bytes + at, .where = where};
        size_t size = record_size(r.bytes, length - at, &r.wrong);
        if (size > 0) {
            r.wrong = NULL;
            r.at = r.bytes + BLOCK_HEAD;
            r.end = r.bytes + size;
            r.object = object_new(r.bytes);
            read_stream(&r);
        }
        if (r.wrong) {
            size_t offset = at + (size ? (size_t)(r.at - r.bytes) : 0);
            g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: section %s, byte %zu: %s", where,
                        BLOCK_SECTION, offset, r.wrong);
            cpu_object_free(r.object);
            return false;
        }
        g_ptr_array_add(objects, r.object);
        at += size;
    }
    find_callees(objects);
    return true;
}
