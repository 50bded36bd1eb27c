# Everything the house rules let pass, in one place. Sourced by rules.sh.

# room:room whose door it implements a second time. It may look inside that room and uses its names.
stand_ins='kern_fake:kern'

# room:headers of a library that only this room, and others with a line of their own, may include (pattern of awk).
only_here='kern:^(simgrid|xbt|smpi)/
dialect:^(smpi/)?mpi[.]h$
cli:^json-glib/
report:^(json-glib|elfutils|dwarf|libelf|gelf)'

# room:external names that the outside world dictates (pattern of awk).
foreign_names='dialect:^[A-Z]+_[A-Z][a-z_]+
dialect:^[a-z]+_[a-z0-9_]+_$
dialect:^sw_
probe:^sw_
probe:^(free|realloc)$
kern:^dlopen$
kern:^__cxa_(throw|get_globals(_fast)?)$
kern:^_ZGVN5boost4noneE$
kern:^_ZN7simgrid4smpi7Request(5start|6iprobe|10match_recv|11finish_wait)E
kern:^_ZNSt
cli:^main$
run:^main$'

# Rooms that become part of every user program, not of the house: their names are those of C's library.
no_names='program'

# Headers that are not C's: MPI gives Fortran's this name.
not_c='mpif.h'

lines_max=400
words_max=25

# Pages whose sentences may be longer: slides are no sentences.
long_sentences='/slides/'

# Headers of C's library and the compiler that comments may name.
system_headers='^(stdio|stdlib|string|unistd|math|errno|signal|threads|libgfortran|mpi|smpi)[.]h$'

# Names of files that examples in comments make up.
made_up_files='x.c
place.c
mine.xml'

# Sources whose strings are sentences of a standard.
quoting='sim/check/words[.]c$'

# Where one of the words of words.txt is another thing (patterns of awk, small letters).
second_words='working directory
ranks_per_node cpus
number of cpus
nodes, cpus,
cpus may be set
alpha before fix:
mpi3-rma|in rma
simgrid.s host speed'
