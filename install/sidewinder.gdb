# gdb in a run: stops where the first rank enters main. `sidewinder gdb` reads this.
set breakpoint pending on
set print thread-events off
set pagination off

# Every rank has a copy of the program, a file whose name ends in the rank. The innermost frame in one is the rank's;
# a library may have called others.
python
import re

def running_rank():
    frame = gdb.newest_frame()
    while frame is not None:
        copy = re.search(r'_\d+_(\d+)\.so$', gdb.solib_name(frame.pc()) or '')
        if copy:
            return int(copy.group(1))
        frame = frame.older()
    return -1

class Rank(gdb.Function):
    """$rank(): the rank that is running; -1 outside the program."""
    def __init__(self):
        super(Rank, self).__init__('rank')
    def invoke(self):
        return running_rank()

class PrintRank(gdb.Command):
    """rank: which rank is running. In conditions: break stale.c:22 if $rank() == 1"""
    def __init__(self):
        super(PrintRank, self).__init__('rank', gdb.COMMAND_STATUS)
    def invoke(self, argument, from_tty):
        rank = running_rank()
        print('rank %d' % rank if rank >= 0 else 'no rank: outside the program')

Rank()
PrintRank()
end

start
break main
continue
