# Writes the profiling interface (MPI-3.1 14.2) from the symbols of the dialects' objects: PMPI_X and pmpi_x_ of every
# MPI_X and mpi_x_ that they define.
#
#   nm -g --defined-only OBJECT... | awk -f profile.awk > dialect_profile.c
#   nm -g --defined-only OBJECT... | awk -v folder=FOLDER -f profile.awk
#
# PMPI_X cannot be a symbol of our library: SMPI calls its own by that name, and so do we. So PMPI_X is linked into the
# program that calls it (the second form, a source a call, for an archive). It goes to a second name of our MPI_X (the
# first form), since MPI_X of the program's scope may be a wrapper.

# A jump keeps registers, stack and return address whatever the arguments are.
function jump(name, before, to) {
    return "__asm__(\".text\\n" before "\\n.type " name ", %function\\n" name ":\\n\"\n" \
           "        MARK JUMP \" " to "\\n.size " name ", . - " name "\\n\");\n"
}

function head(mark) {
    return "/* Written by profile.awk from the dialects' symbols: do not edit. */\n" \
           "#if defined __x86_64__\n#define JUMP \"jmp\"\n#define MARK \"" mark "\"\n#define AT \"@PLT\"\n" \
           "#elif defined __aarch64__\n#define JUMP \"b\"\n#define MARK \"\"\n#define AT \"\"\n#endif\n"
}

BEGIN {
    if (!folder) {
        print head("movb $1, dialect_profiled(%rip)\\n")
        print "/* dialect/mpi/call/call.h */\n__asm__(\".hidden dialect_profiled\");"
    }
}

NF >= 2 && $(NF - 1) ~ /^[TW]$/ && $NF ~ /^(MPI_[A-Z][a-z_0-9]*[A-Za-z_0-9]*|mpi_[a-z0-9_]+_)$/ {
    call = $NF
    if (met[call]++) next
    own = (call ~ /^M/ ? "P" : "p") call
    if (!folder) {
        print jump("sw_profile_" call, ".globl sw_profile_" call, call "\" AT \"")
        next
    }
    file = folder "/" own ".c"
    printf "%s%s", head(""), jump(own, ".globl " own "\\n.hidden " own, "sw_profile_" call "\" AT \"") > file
    close(file)
}
