/* What makes a shared object a program that both `sidewinder run` and the kernel can start, and its
 * first constructor. */
#include "program/program.h"

#include "probe/in_line/in_line.h"

#include <sys/syscall.h>
#include <unistd.h>

/* A shared object with an interpreter can be executed: autoconf and CMake run what they link. */
#if defined __x86_64__
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined __aarch64__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif
#ifdef LOADER
static const char loader[] __attribute__((section(".interp"), used)) = LOADER;
#endif

extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

/* The linker defines it for programs (cli/cc/link.c); a shared library of the user's, which has
 * these stand-ins too, has none. */
extern const char sw_program[] __attribute__((weak, visibility("hidden")));

/* The sections PROBE_OBJECTS and PROBE_MARKS; the linker defines both where an object has it. */
#define OF_LINKER __attribute__((weak, visibility("hidden")))
extern struct probe_object __start_sw_objects[] OF_LINKER, __stop_sw_objects[] OF_LINKER;
extern const struct probe_mark __start_sw_marks[] OF_LINKER, __stop_sw_marks[] OF_LINKER;

/* Before the program's own constructors, which may have priorities from 101 on. Of a rank's copy
 * the rest of the text is there only after program_start (cli/run/split.c, which knows its name).
 */
__attribute__((constructor(101))) static void sw_program_start(void)
{
    if (probe_calls.bytes != sizeof probe_calls) {
        static const char what[] = "sidewinder: this program was built by another version of "
                                   "sidewinder cc; build it again\n";
        /* write and _exit are stand-ins, which call what this table has elsewhere */
        (void)!syscall(SYS_write, STDERR_FILENO, what, sizeof what - 1);
        syscall(SYS_exit_group, 1);
    }
    if (sw_program)
        probe_calls.program_start((uintptr_t)__ehdr_start, (uintptr_t)_end);
    else
        probe_calls.library_start((uintptr_t)__ehdr_start, (uintptr_t)_end);
    if (__start_sw_objects) probe_calls.objects(__start_sw_objects, __stop_sw_objects);
    if (__start_sw_marks) probe_calls.marks(__start_sw_marks, __stop_sw_marks);
}

extern int main(int argc, char **argv, char **env) __attribute__((weak));

/* Where SMPI begins a program if it has this symbol (its way into Fortran), and passes nothing: the
 * arguments come from Sidewinder, so SimGrid takes none of them for itself and they lie at
 * addresses that do not depend on the host.
 * */
__attribute__((visibility("default"))) void user_main_(void);
void user_main_(void) { probe_calls.run_main(main); }
