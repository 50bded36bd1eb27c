# gdb in a run: stops where the first rank enters main. `sidewinder gdb` reads this.
set breakpoint pending on
set print thread-events off
set pagination off

define rank
  info symbol $pc
end
document rank
rank: which rank is running.
The number before .so of the file that is printed: every rank has a copy of the program.
end

start
break main
continue
