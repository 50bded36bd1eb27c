/* Reads the records of a section (block_format.h). Every index is checked here: the rest of the
 * room trusts them. Left out: records of other versions. */
#include "cpu/read.h"

#include <string.h>

/* Whatever is read after the first error is 0: there are no more bytes. */
static uint64_t bad(struct cpu_reader *r, const char *what)
{
    if (!r->wrong) r->wrong = what;
    r->end = r->at;
    return 0;
}

static uint64_t fixed(const unsigned char *at, int bytes)
{
    uint64_t n = 0;
    for (int i = bytes - 1; i >= 0; i--) n = n << 8 | at[i];
    return n;
}

static unsigned char byte(struct cpu_reader *r)
{
    if (r->at == r->end) return (unsigned char)bad(r, "it ends too early");
    return *r->at++;
}

static uint64_t number(struct cpu_reader *r)
{
    uint64_t n = 0;
    if (r->at < r->end && *r->at < 0x80) return *r->at++; /* as nearly all are */
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned char b = byte(r);
        n |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) return n;
    }
    return bad(r, "a number of more than 64 bits");
}

static uint32_t below(struct cpu_reader *r, uint64_t limit, const char *what)
{
    uint64_t n = number(r);
    return n < limit ? (uint32_t)n : (uint32_t)bad(r, what);
}

/* A block of the function that is read, as the object numbers it. */
static uint32_t block_of(struct cpu_reader *r, const char *what)
{
    uint64_t n = number(r) - r->first;
    return n < r->blocks ? r->base + (uint32_t)n : (uint32_t)bad(r, what);
}

static uint32_t moved(struct cpu_reader *r, uint32_t from)
{
    uint64_t d = number(r);
    return d & 1 ? from - (uint32_t)(d >> 1) - 1 : from + (uint32_t)(d >> 1);
}

/* How many of something; each takes a byte at least, so that a broken count is no memory. */
static uint32_t count(struct cpu_reader *r)
{
    return below(r, (uint64_t)(r->end - r->at) + 1, "more things than bytes");
}

/* Room for so many things, to be read. */
static void *more(GArray *to, uint32_t things)
{
    const size_t size = g_array_get_element_size(to), before = to->len;
    g_array_set_size(to, to->len + things);
    return to->data + before * size;
}

static const char *text(struct cpu_reader *r)
{
    uint32_t length = count(r);
    if (r->wrong) return "";
    const char *t = g_string_chunk_insert_len(r->object->text, (const char *)r->at, length);
    r->at += length;
    return t;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static void read_operand(struct cpu_reader *r, uint32_t k, bool phi, struct cpu_operand *to)
{
    uint64_t n = number(r);
    struct cpu_operand o = {.where = n & 7, .k = (uint32_t)(n >> 3)};
    if (o.where >= BLOCK_WHERES) bad(r, "an operand from nowhere");
    if (o.where == BLOCK_THERE) o.block = block_of(r, "a block out of range");
    if (o.where == BLOCK_HERE && o.k >= k && !phi) bad(r, "an operand made later");
    *to = o;
}

static void read_access(struct cpu_reader *r, struct cpu_op *op)
{
    op->site = (uint32_t)number(r);
    op->form = below(r, BLOCK_FORMS, "an unknown form of address");
    op->bytes = (uint32_t)number(r);
}

static void read_op(struct cpu_reader *r, uint32_t k, uint32_t *line, struct cpu_op *to)
{
    struct cpu_op op = {.class = byte(r), .type = byte(r), .flags = (uint32_t)number(r)};
    if (op.class >= BLOCK_CLASSES) bad(r, "an unknown class of operation");
    op.line = *line = moved(r, *line);
    if (op.flags & BLOCK_OTHER_FILE) r->file = below(r, r->object->file->len, "an unknown file");
    op.file = r->file;
    op.first_operand = r->object->operand->len;
    op.operands = count(r);
    struct cpu_operand *operand = more(r->object->operand, op.operands);
    for (uint32_t i = 0; i < op.operands && !r->wrong; i++)
        read_operand(r, k, op.class == BLOCK_PHI, &operand[i]);
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
    *to = op;
}

static void read_block(struct cpu_reader *r, uint32_t *line)
{
    struct cpu_object *object = r->object;
    struct cpu_block block = {.flags = (uint32_t)number(r),
                              .first_successor = object->successor->len,
                              .first_op = object->op->len};
    block.successors = count(r);
    struct cpu_successor *s = more(object->successor, block.successors);
    for (uint32_t i = 0; i < block.successors && !r->wrong; i++) {
        s[i].block = block_of(r, "a successor out of range");
        s[i].probability = below(r, BLOCK_PROBABILITY + 1, "a probability above 1");
    }
    *line = moved(r, *line);
    block.ops = count(r);
    struct cpu_op *op = more(object->op, block.ops);
    for (uint32_t i = 0; i < block.ops && !r->wrong; i++) read_op(r, i, line, &op[i]);
    g_array_append_val(object->block, block);
}

/* BLOCK_THERE and BLOCK_PREVIOUS may name what comes later. */
static void check_operands(struct cpu_reader *r, uint32_t from)
{
    const struct cpu_object *object = r->object;
    for (uint32_t b = from; b < object->block->len; b++) {
        const struct cpu_block *block = &g_array_index(object->block, struct cpu_block, b);
        for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++) {
            const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
            for (uint32_t j = 0; j < op->operands + (op->stored > 0); j++) {
                const struct cpu_operand *o =
                    &g_array_index(object->operand, struct cpu_operand, op->first_operand + j);
                const struct cpu_block *made =
                    o->where == BLOCK_THERE
                        ? &g_array_index(object->block, struct cpu_block, o->block)
                        : block;
                if ((o->where == BLOCK_THERE || o->where == BLOCK_PREVIOUS ||
                     o->where == BLOCK_HERE) &&
                    o->k >= made->ops)
                    bad(r, "an operand that no operation makes");
            }
        }
    }
}

void cpu_read_function(struct cpu_reader *r)
{
    struct cpu_object *object = r->object;
    struct cpu_function f = {.name = text(r)};
    f.file = r->file = below(r, object->file->len, "an unknown file");
    f.line = (uint32_t)number(r);
    f.flags = (uint32_t)number(r);
    r->first = (uint32_t)number(r);
    f.blocks = r->blocks = count(r);
    f.first = r->base = object->block->len;
    if (r->first != r->next) bad(r, "functions out of order");
    r->next += f.blocks;
    uint32_t line = f.line;
    for (uint32_t i = 0; i < f.blocks && !r->wrong; i++) read_block(r, &line);
    if (!r->wrong) check_operands(r, f.first);
    g_array_append_val(object->function, f);
}

void cpu_find_callees(const struct cpu_object *object, GHashTable *own)
{
    for (uint32_t i = 0; i < object->op->len; i++) {
        struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (!op->callee) continue;
        op->described = g_hash_table_contains(own, op->callee);
        op->library = op->described ? NULL : cpu_library_find(op->callee);
    }
}

static void find_callees(const GPtrArray *objects)
{
    g_autoptr(GHashTable) own = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t o = 0; o < objects->len; o++) {
        const struct cpu_object *object = objects->pdata[o];
        for (uint32_t i = 0; i < object->function->len; i++)
            g_hash_table_add(own,
                             (char *)g_array_index(object->function, struct cpu_function, i).name);
    }
    for (uint32_t o = 0; o < objects->len; o++) cpu_find_callees(objects->pdata[o], own);
}

uint32_t cpu_read_head(struct cpu_reader *r)
{
    r->object->optimisation = (uint32_t)number(r);
    uint32_t files = count(r);
    for (uint32_t i = 0; i < files && !r->wrong; i++)
        g_ptr_array_add(r->object->file, (char *)text(r));
    return count(r);
}

void cpu_read_end(struct cpu_reader *r)
{
    if (!r->wrong && r->next != r->total) bad(r, "blocks are missing");
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

struct cpu_reader cpu_reader_at(const unsigned char *bytes, size_t left)
{
    static const unsigned char padding[8];
    const unsigned char *end = bytes + left;
    while (end - bytes >= 8 && memcmp(bytes, padding, 8) == 0) bytes += 8;
    struct cpu_reader r = {.bytes = bytes, .at = bytes, .end = end};
    if (bytes == end) return r;
    size_t size = record_size(bytes, (size_t)(end - bytes), &r.wrong);
    if (size == 0) return r;
    r.wrong = NULL;
    r.at += BLOCK_HEAD;
    r.end = bytes + size;
    r.object = object_new(bytes);
    r.total = r.object->blocks;
    return r;
}

void cpu_read_refuse(const struct cpu_reader *r, const char *where, size_t before, GError **error)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: section %s, byte %zu: %s", where,
                BLOCK_SECTION, before + (size_t)(r->at - r->bytes), r->wrong);
}

bool cpu_read(const unsigned char *bytes, size_t length, const char *where, GPtrArray *objects,
              GError **error)
{
    for (const unsigned char *at = bytes, *end = bytes + length; at < end;) {
        struct cpu_reader r = cpu_reader_at(at, (size_t)(end - at));
        if (r.object) {
            uint32_t functions = cpu_read_head(&r);
            for (uint32_t i = 0; i < functions && !r.wrong; i++) cpu_read_function(&r);
            cpu_read_end(&r);
        }
        if (r.wrong) {
            cpu_read_refuse(&r, where, (size_t)(r.bytes - bytes), error);
            cpu_object_free(r.object);
            return false;
        }
        if (r.object) g_ptr_array_add(objects, r.object);
        at = r.end;
    }
    find_callees(objects);
    return true;
}
