/* The record of an object's blocks: functions are added as they are compiled, and it is written
 * when the object is (cpu/block_format/block_format.h has the format). */
#include "instrument/describe.h"

#include "probe/in_line/in_line.h"

/* A part of a basic block, a block of the record. */
struct block {
    std::vector<operation> operations;
    std::vector<std::pair<unsigned, unsigned>> successors; /* block, probability */
    unsigned flags;
};

struct place {
    unsigned block, operation;
};

/* The function being described. */
struct describing {
    unsigned first; /* its first block's number in the object */
    std::vector<block> blocks;
    std::map<tree, place> made;         /* names that an operation makes */
    std::map<tree, tree> same;          /* names that are others */
    std::map<int, unsigned> head, tail; /* of a basic block, by its index: its first, last part */
    std::vector<part> *parts;           /* the blocks again, for the pass */
    std::map<tree, unsigned> given;     /* arguments and variables: numbers, from 1 on */
};

static std::string functions;
static std::vector<std::string> file_names;
static std::map<std::string, unsigned> files; /* their numbers */
static unsigned blocks_so_far, functions_so_far, sites;

/* ---- bytes ----------------------------------------------------------------------------------- */

static void put(std::string &to, uint64_t n)
{
    unsigned char bytes[10];
    to.append((const char *)bytes, block_put_number(bytes, n));
}

static void put_text(std::string &to, const char *text)
{
    put(to, strlen(text));
    to += text;
}

static unsigned file_number(const char *name)
{
    std::map<std::string, unsigned>::iterator known = files.find(name);
    if (known != files.end()) return known->second;
    file_names.push_back(name);
    return files[name] = (unsigned)file_names.size() - 1;
}

/* ---- a function ------------------------------------------------------------------------------ */

/* A basic block without code only leads on; loops have such latches. */
static bool leads_on(basic_block bb)
{
    if (!single_succ_p(bb) || single_succ_edge(bb)->flags & EDGE_COMPLEX) return false;
    if (!gimple_seq_empty_p(phi_nodes(bb)) || single_succ(bb) == bb) return false;
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)) && gimple_code(gsi_stmt(i)) != GIMPLE_LABEL &&
            gimple_code(gsi_stmt(i)) != GIMPLE_PREDICT)
            return false;
    return single_succ(bb)->index >= NUM_FIXED_BLOCKS;
}

/* Where it leads on to in the end; itself if that is a circle of such blocks. */
static basic_block end_of_way(basic_block bb)
{
    basic_block end = bb;
    for (int most = n_basic_blocks_for_fn(cfun); most > 0 && leads_on(end); most--)
        end = single_succ(end);
    return leads_on(end) ? bb : end;
}

/* Does a part of a block end behind the statement: at calls, atomics and inline assembly, and where
 * its accesses would be too many to count? */
static bool ends_part(gimple *stmt, const part &p)
{
    if (gimple_code(stmt) == GIMPLE_ASM || p.touches.size() > PROBE_COUNT_MAX / 2) return true;
    if (!is_gimple_call(stmt)) return false;
    if (gimple_call_internal_p(stmt))
        return gimple_call_internal_fn(stmt) >= IFN_ATOMIC_BIT_TEST_AND_SET &&
               gimple_call_internal_fn(stmt) <= IFN_ATOMIC_XOR_FETCH_CMP_0;
    return true;
}

static void begin_part(describing &d)
{
    d.parts->push_back(part());
    d.parts->back().block = d.first + (unsigned)d.blocks.size();
    d.blocks.push_back(block());
}

/* Nothing may stand before it: it restores the frame. */
static bool restores_frame(gimple *stmt)
{
    return gimple_call_builtin_p(stmt, BUILT_IN_SETJMP_RECEIVER);
}

static bool is_access(const operation &o)
{
    return o.kind == BLOCK_LOAD || o.kind == BLOCK_STORE || o.kind == BLOCK_ATOMIC;
}

/* The operations and the accesses of a statement; a site is both. */
static void add_statement(gimple *stmt, describing &d)
{
    std::vector<operation> &operations = d.blocks.back().operations;
    part &p = d.parts->back();
    size_t before = operations.size(), touched = p.touches.size();
    touch_find(stmt, p.touches);
    tree other = operations_of(stmt, operations);
    if (other) d.same[gimple_assign_lhs(stmt)] = other;
    if (gasm *assembly = dyn_cast<gasm *>(stmt))
        operation_name_outputs(assembly, operations.back().result, d.same);
    for (size_t i = before; i < operations.size(); i++) {
        operation &o = operations[i];
        if (!is_access(o)) continue;
        o.site = o.same_site ? sites - 1 : sites++;
        if (o.access >= 0) p.touches[touched + (size_t)o.access].site = (int)o.site;
    }
    if (!operations.empty()) target_find(stmt, p, operations.back(), &sites);
    if (!p.first && operations.size() > before && !restores_frame(stmt)) p.first = stmt;
}

static void add_phi(gphi *phi, describing &d)
{
    operation o = operation_phi(phi);
    part &p = d.parts->back();
    if (begin_hands_on(phi)) {
        o.flags |= BLOCK_BEGUN;
        o.site = sites++;
        p.head = gimple_bb(phi);
        p.begins.push_back((int)o.site);
    }
    d.blocks.back().operations.push_back(o);
}

static void find_blocks(function *fun, describing &d)
{
    operation save;
    basic_block bb, saves = save_find(fun, &save);
    FOR_EACH_BB_FN(bb, fun)
    {
        if (end_of_way(bb) != bb) continue;
        d.head[bb->index] = (unsigned)d.blocks.size();
        begin_part(d);
        for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i); gsi_next(&i))
            if (!virtual_operand_p(gimple_phi_result(i.phi()))) add_phi(i.phi(), d);
        if (bb == saves) d.blocks.back().operations.push_back(save);
        for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
            gimple *stmt = gsi_stmt(i);
            if (is_gimple_debug(stmt)) continue;
            add_statement(stmt, d);
            if (!ends_part(stmt, d.parts->back()) || gsi_one_before_end_p(i)) continue;
            unsigned next = (unsigned)d.blocks.size();
            d.blocks.back().successors.push_back(
                std::make_pair(d.first + next, (unsigned)BLOCK_PROBABILITY));
            begin_part(d);
        }
        d.tail[bb->index] = (unsigned)d.blocks.size() - 1;
    }
}
/* The branch at the end of a block, once it is known where its ways lead. */
static void find_branch(basic_block bb, describing &d, unsigned last)
{
    gimple *stmt = gsi_stmt(gsi_last_nondebug_bb(bb));
    if (!stmt || gimple_code(stmt) != GIMPLE_COND || EDGE_COUNT(bb->succs) != 2) return;
    edge if_true, if_false;
    extract_true_false_edges_from_block(bb, &if_true, &if_false);
    if (if_true->dest->index < NUM_FIXED_BLOCKS || if_false->dest->index < NUM_FIXED_BLOCKS) return;
    unsigned to_true = d.head[end_of_way(if_true->dest)->index],
             to_false = d.head[end_of_way(if_false->dest)->index];
    branch b = branch_find(as_a<gcond *>(stmt), to_true > last, to_false > last);
    b.of_one = to_true != to_false && (b.taken_if ? to_true : to_false) == last;
    operation &jump = d.blocks[last].operations.back();
    if (b.kind == BRANCH_CERTAIN || jump.kind != BLOCK_BRANCH) return;
    jump.flags |= b.kind == BRANCH_COUNTED ? BLOCK_COUNTED : BLOCK_PREDICTED;
    jump.site = sites++;
    b.asks = b.of_one ? b.kind == BRANCH_PREDICTED && b.backward : branch_leaves(&b);
    if (b.asks || branch_tells_rounds(b)) jump.flags |= BLOCK_ROUNDS;
    if (b.kind == BRANCH_COUNTED || b.asks) sites++;
    b.site = (int)jump.site;
    (*d.parts)[last].end = b;
}

static void find_ways(function *fun, describing &d)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    {
        if (end_of_way(bb) != bb) continue;
        unsigned head = d.head[bb->index], last = d.tail[bb->index];
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, bb->succs)
        {
            if (e->dest->index < NUM_FIXED_BLOCKS) continue;
            unsigned to = d.head[end_of_way(e->dest)->index];
            int likely = e->probability.initialized_p()
                             ? e->probability.to_reg_br_prob_base()
                             : BLOCK_PROBABILITY / (int)EDGE_COUNT(bb->succs);
            d.blocks[last].successors.push_back(std::make_pair(d.first + to, (unsigned)likely));
            if (to == last) d.blocks[last].flags |= BLOCK_LOOP;
            bool backward = to <= last;
            if (backward && !d.blocks[last].operations.empty() &&
                d.blocks[last].operations.back().kind == BLOCK_BRANCH)
                d.blocks[last].operations.back().flags |= BLOCK_BACKWARD;
        }
        find_branch(bb, d, last);
        if (bb->count.initialized_p() && probably_never_executed_bb_p(fun, bb))
            for (unsigned i = head; i <= last; i++) d.blocks[i].flags |= BLOCK_COLD;
    }
}

static const place *place_of(const describing &d, tree name)
{
    for (std::map<tree, tree>::const_iterator s; (s = d.same.find(name)) != d.same.end();)
        name = s->second;
    std::map<tree, place>::const_iterator m = d.made.find(name);
    return m == d.made.end() ? NULL : &m->second;
}

static void find_uses(describing &d)
{
    for (unsigned b = 0; b < d.blocks.size(); b++)
        for (unsigned k = 0; k < d.blocks[b].operations.size(); k++)
            if (tree name = d.blocks[b].operations[k].result) d.made[name] = place{b, k};
    for (unsigned b = 0; b < d.blocks.size(); b++)
        for (const operation &o : d.blocks[b].operations)
            for (const operand &v : o.operands) {
                const place *at = v.here < 0 ? place_of(d, v.value) : NULL;
                if (at && at->block != b)
                    d.blocks[at->block].operations[at->operation].flags |= BLOCK_LIVE;
            }
}

static void find_forwards(describing &d, size_t first_part)
{
    std::vector<forward> all;
    for (unsigned b = 0; b < d.blocks.size(); b++)
        for (unsigned k = 0; k < d.blocks[b].operations.size(); k++)
            for (const touch &t : (*d.parts)[first_part + b].touches)
                if (is_access(d.blocks[b].operations[k]) &&
                    t.site == (int)d.blocks[b].operations[k].site)
                    forward_add(all, t, b, k);
    forward_find(all);
    for (unsigned b = 0; b < d.blocks.size(); b++)
        if (d.blocks[b].flags & BLOCK_LOOP)
            forward_again((*d.parts)[first_part + b].touches, d.blocks[b].operations, &sites);
    for (const forward &f : all)
        if (f.store) d.blocks[f.block].operations[f.operation].stored = {f.from_block, f.from};
}

/* In the order in which they are written: addresses have none that stays. */
static uint64_t number_of(describing &d, tree given)
{
    return d.given.insert(std::make_pair(given, (unsigned)d.given.size() + 1)).first->second;
}

static void write_operand(describing &d, unsigned b, unsigned k, const operand &v, bool phi)
{
    if (v.here >= 0) {
        put(functions, (uint64_t)v.here << 3 | BLOCK_HERE);
        return;
    }
    if (DECL_P(v.value)) {
        put(functions, number_of(d, v.value) << 3 | BLOCK_VARIABLE);
        return;
    }
    if (TREE_CODE(v.value) != SSA_NAME) {
        put(functions, (uint64_t)operation_bits_of(v.value) << 3 | BLOCK_CONSTANT);
        return;
    }
    const place *at = place_of(d, v.value);
    if (!at) {
        put(functions, number_of(d, v.value) << 3 | BLOCK_OUTSIDE);
    } else if (at->block != b) {
        put(functions, (uint64_t)at->operation << 3 | BLOCK_THERE);
        put(functions, d.first + at->block);
    } else if (phi || at->operation >= k) {
        put(functions, (uint64_t)at->operation << 3 | BLOCK_PREVIOUS);
    } else {
        put(functions, (uint64_t)at->operation << 3 | BLOCK_HERE);
    }
}

/* The store that a load reads from. */
static void write_there(const stored_by &s, unsigned b, const describing &d)
{
    bool loop = s.block == (int)b && (d.blocks[b].flags & BLOCK_LOOP);
    put(functions, (uint64_t)s.operation << 3 | (loop ? BLOCK_PREVIOUS : BLOCK_THERE));
    if (!loop) put(functions, d.first + (unsigned)s.block);
}

/* Where the operations written so far end: the next one says how far away it is. */
struct position {
    unsigned file;
    int line;
};

static void write_operation(describing &d, unsigned b, unsigned k, position &at)
{
    const operation &o = d.blocks[b].operations[k];
    expanded_location where = expand_location(o.where);
    unsigned flags = o.flags, file = where.file ? file_number(where.file) : at.file;
    int line = where.file ? where.line : at.line;
    if (file != at.file) flags |= BLOCK_OTHER_FILE;
    if (o.stored.block >= 0) flags |= BLOCK_FORWARDED;
    if (o.times) flags |= BLOCK_TIMES;
    if (o.again >= 0) flags |= BLOCK_AGAIN;
    functions += (char)o.kind;
    functions += (char)o.type;
    put(functions, flags);
    put(functions, block_difference(line - at.line));
    if (flags & BLOCK_OTHER_FILE) put(functions, file);
    at.file = file;
    at.line = line;
    put(functions, o.operands.size() + (o.stored.block >= 0));
    for (const operand &v : o.operands) write_operand(d, b, k, v, o.kind == BLOCK_PHI);
    if (o.stored.block >= 0) write_there(o.stored, b, d);
    if (o.kind == BLOCK_CONVERT) functions += (char)o.from;
    if (o.kind == BLOCK_LOAD || o.kind == BLOCK_STORE || o.kind == BLOCK_ATOMIC) {
        put(functions, o.site);
        put(functions, o.form);
        put(functions, (uint64_t)o.bytes);
    }
    if (o.again >= 0) put(functions, (uint64_t)o.again), put(functions, (uint64_t)o.loaded);
    if (o.flags & (BLOCK_PREDICTED | BLOCK_COUNTED | BLOCK_BEGUN)) put(functions, o.site);
    if (o.times) put(functions, o.times);
    if (o.kind == BLOCK_CALL) put_text(functions, o.callee.c_str()), put(functions, o.words);
}

static void write_block(describing &d, unsigned b, position &at)
{
    const block &part = d.blocks[b];
    put(functions, part.flags);
    put(functions, part.successors.size());
    for (const std::pair<unsigned, unsigned> &s : part.successors) {
        put(functions, s.first);
        put(functions, s.second);
    }
    put(functions, block_difference(0));
    put(functions, part.operations.size());
    for (unsigned k = 0; k < part.operations.size(); k++) write_operation(d, b, k, at);
}

void describe_function(function *fun, std::vector<part> &parts)
{
    describing d;
    d.first = blocks_so_far;
    d.parts = &parts;
    size_t first_part = parts.size();
    if (files.empty()) file_number(main_input_filename ? main_input_filename : "");
    find_blocks(fun, d);
    find_ways(fun, d);
    find_uses(d);
    find_forwards(d, first_part);
    expanded_location where = expand_location(DECL_SOURCE_LOCATION(fun->decl));
    position at = {file_number(where.file ? where.file : ""), where.line};
    put_text(functions, operation_name_of(fun->decl));
    put(functions, at.file);
    put(functions, at.line);
    put(functions, DECL_COMDAT(fun->decl) ? BLOCK_COMDAT : 0);
    put(functions, d.first);
    put(functions, d.blocks.size());
    for (unsigned b = 0; b < d.blocks.size(); b++) write_block(d, b, at);
    blocks_so_far += (unsigned)d.blocks.size();
    functions_so_far++;
}

/* ---- the record ------------------------------------------------------------------------------ */

/* FNV-1a, of what the record says: two objects of one source are one. */
static uint64_t identity(const std::string &stream)
{
    uint64_t hash = 14695981039346656037u;
    for (unsigned char c : stream) hash = (hash ^ c) * 1099511628211u;
    return hash;
}

/* The object's own table, of zeros, and where the program object finds it
 * (probe/in_line/in_line.h). */
static void write_tables(FILE *assembler, uint64_t id)
{
    if (blocks_so_far == 0) return;
    fprintf(assembler,
            "\t.section\t%s,\"aw\",@nobits\n\t.p2align 4\n\t.fill %zu, 1, 0\n%s:\n\t.zero %zu\n"
            "\t.section\t%s,\"aw\",@progbits\n\t.p2align 3\n%s:\n"
            "\t.quad %llu\n\t.quad %s - .\n\t.quad 0\n\t.long %u, %u, %d, 0\n",
            PROBE_TABLES, sites * sizeof(struct probe_site), DESCRIBE_TABLE,
            blocks_so_far * sizeof(struct probe_block), PROBE_OBJECTS, DESCRIBE_OBJECT,
            (unsigned long long)id, DESCRIBE_TABLE, blocks_so_far, sites, BLOCK_VERSION);
}

void describe_write(FILE *assembler)
{
    std::string stream;
    put(stream, (uint64_t)(optimize_size ? 1 : optimize));
    put(stream, file_names.size());
    for (const std::string &file : file_names) put_text(stream, file.c_str());
    put(stream, functions_so_far);
    stream += functions;
    while (stream.size() % 8 != 0) stream += '\0';
    uint64_t id = identity(stream);
    fprintf(assembler,
            "\t.section\t%s,\"\",@progbits\n\t.p2align 3\n\t.ascii \"%s\"\n\t.long %d, %u\n"
            "\t.quad %llu\n\t.long %u, %d\n",
            BLOCK_SECTION, BLOCK_MAGIC, BLOCK_VERSION, (unsigned)stream.size() + BLOCK_HEAD,
            (unsigned long long)id, blocks_so_far,
            GCCPLUGIN_VERSION_MAJOR * 10000 + GCCPLUGIN_VERSION_MINOR * 100);
    for (size_t i = 0; i < stream.size(); i += 8) {
        uint64_t word = 0;
        for (int k = 7; k >= 0; k--) word = word << 8 | (unsigned char)stream[i + k];
        fprintf(assembler, "\t.quad %llu\n", (unsigned long long)word);
    }
    write_tables(assembler, id);
}
