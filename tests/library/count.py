# For gdb, see count: executes the functions call_NAME that $NAMES lists, each for the third time, step by step.
import os
import re

import capstone
import gdb

CLASSES = ['fp_add', 'fp_multiply', 'fp_fma', 'fp_divide', 'fp_sqrt', 'convert', 'integer', 'load', 'store']
# cycles, to find the longest chain with: those of a usual processor
WEIGHT = dict(zip(CLASSES, (4, 4, 4, 13, 15, 5, 1, 5, 0)))
KINDS = [(r'(add|sub|min|max|hadd)[sp][sd]|u?comis[sd]|cmp\w*[sp][sd]|round[sp][sd]|f(add|sub|u?com)\w*', 'fp_add'),
         (r'mul[sp][sd]|fmul\w*', 'fp_multiply'), (r'fn?m(add|sub)\w*', 'fp_fma'),
         (r'div[sp][sd]|fdiv\w*|fprem1?', 'fp_divide'), (r'sqrt[sp][sd]|fsqrt', 'fp_sqrt'), (r'cvt\w*', 'convert')]
FREE = ('nop', 'endbr64', 'vzeroupper')
MOST = 20000  # instructions of a call
NOTHING = (0, {})

reader = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
reader.detail = True


def plain(i):
    return i.mnemonic[1:] if i.mnemonic.startswith('v') else i.mnemonic


def kind(i):
    for pattern, name in KINDS:
        if re.fullmatch(pattern, plain(i)):
            return name
    return 'integer'


# The register that a part of it is of.
def whole(name):
    if re.fullmatch(r'[xyz]mm\d+', name):
        return 'v' + name[3:]
    numbered = re.fullmatch(r'(r\d+)[dwb]', name)
    if numbered:
        return numbered[1]
    for of in ('ax', 'bx', 'cx', 'dx', 'si', 'di', 'sp', 'bp'):
        if name in ('e' + of, of, of[0] + 'l', of + 'l', of[0] + 'h'):
            return 'r' + of
    return name


def value(register):
    return int(gdb.parse_and_eval('(unsigned long)$' + register)) & (1 << 64) - 1


# The word of memory of an operand. Those of a thread's own segment are apart.
def word(i, memory):
    at = memory.disp + (1 << 56 if memory.segment else 0)
    for register, scale in ((memory.base, 1), (memory.index, memory.scale)):
        name = i.reg_name(register) if register else None
        if name:
            at += scale * (i.address + i.size if name == 'rip' else value(name))
    return (at & (1 << 64) - 1) >> 3


# What an instruction reads and writes: registers, words of memory.
def operands(i):
    read, write = ({whole(i.reg_name(r)) for r in registers} for registers in i.regs_access())
    loads, stores = [], []
    for operand in i.operands:
        if operand.type == capstone.x86.X86_OP_MEM and i.mnemonic != 'lea':
            (loads if operand.access & capstone.CS_AC_READ else []).append(word(i, operand.mem))
            (stores if operand.access & capstone.CS_AC_WRITE else []).append(word(i, operand.mem))
    if i.mnemonic in ('push', 'call'):
        stores.append(value('rsp') - 8 >> 3)
    if i.mnemonic in ('pop', 'ret'):
        loads.append(value('rsp') >> 3)
    if i.mnemonic in ('push', 'call', 'pop', 'ret'):
        read.discard('rsp')
        write.discard('rsp')
    return read, write, loads, stores


# The longest first; of those alike always the same.
def order(chain):
    return chain[0], sorted(chain[1].items())


def more(chain, name):
    length, counts = chain
    counts = dict(counts)
    counts[name] = counts.get(name, 0) + 1
    return length + WEIGHT[name], counts


class Call:
    def __init__(self):
        self.total = dict.fromkeys(CLASSES, 0)
        self.made = {}  # register or word of memory: the longest chain that made it
        self.instructions = 0

    def add(self, i):
        self.instructions += 1
        if plain(i) in FREE:
            return
        read, write, loads, stores = operands(i)
        name = kind(i)
        moves = plain(i).startswith(('mov', 'push', 'pop')) and (loads or stores)
        jumps = i.group(capstone.CS_GRP_JUMP) or i.mnemonic in ('call', 'ret')
        clears = plain(i) in ('xor', 'pxor', 'xorps', 'xorpd') and len(set(i.op_str.split(', '))) == 1
        self.total['load'] += bool(loads)
        self.total['store'] += bool(stores)
        self.total[name] += not moves
        if jumps:
            return
        known = [self.made[w] for w in loads if w in self.made]
        chain = max([self.made[r] for r in read if r in self.made] + known + [NOTHING], key=order)
        if clears:
            chain = NOTHING
        if loads and not known:
            chain = more(chain, 'load')
        if not moves and not clears:
            chain = more(chain, name)
        for place in [*write, *stores]:
            self.made[place] = chain

    def result(self):
        return max((self.made.get(r, NOTHING) for r in ('v0', 'rax')), key=order)


def step():
    gdb.execute('stepi', to_string=True)


# What capstone 4 cannot read (rdsspq, of shadow stacks) does nothing here.
class Unknown:
    mnemonic = 'nop'


def at_hand():
    memory = gdb.selected_inferior().read_memory(value('rip'), 16)
    return next(reader.disasm(bytes(memory), value('rip')), Unknown)


# From the first call, or jump elsewhere, of call_NAME until it returns.
def follow():
    i = at_hand()
    while i.mnemonic not in ('call', 'jmp'):
        if i.mnemonic == 'ret':
            return None
        step()
        i = at_hand()
    back = value('rsp') - (8 if i.mnemonic == 'call' else 0)
    call = Call()
    while not (i.mnemonic == 'ret' and call.instructions and value('rsp') == back):
        step()
        i = at_hand()
        call.add(i)
        if call.instructions > MOST:
            return None
    return call


def show(name, call, what):
    total, (length, chain) = call.total, call.result()
    if what == 'memory':
        total['load'] = total['store'] = 0
    counted[name] = dict(total), chain
    if what in counted:
        total = {c: max(total[c] - counted[what][0][c], 0) for c in CLASSES}
        chain = {c: max(chain.get(c, 0) - counted[what][1].get(c, 0), 0) for c in CLASSES}
    counts = [str(total[c]) for c in CLASSES]
    longest = [str(chain.get(c, 0)) for c in CLASSES[:-1]]
    print('LIBRARY("%s",%s%s, %s)' %
          (name, '\n        ' if len(name) > 40 else ' ', ', '.join(counts), ', '.join(longest)), flush=True)


counted = {}  # by name: what it executes, its longest chain
names = [line.split() for line in open(os.environ['NAMES'])]
gdb.execute('set confirm off')
for name, _ in names:
    gdb.execute('break call_' + name, to_string=True)
gdb.execute('run >/dev/null', to_string=True)
for round in range(3):
    for name, what in names:
        here = gdb.selected_frame().name().replace('.', '__')  # gdb reads two underscores as Ada's point
        if here != 'call_' + name:
            raise gdb.GdbError('%s: the program is in %s' % (name, here))
        call = follow() if round == 2 else None
        if call:
            show(name, call, what)
        elif round == 2:
            print('not followed: ' + name, flush=True)
        gdb.execute('continue', to_string=True)
