/* floating: see floating.h. To read the state is cheap, to write the flags of the x87 is not: most
 * often nobody has changed any. */
#include "base/floating/floating.h"

#include <fpu_control.h>

static unsigned x87_flags(void)
{
    unsigned short flags;
    __asm__ volatile("fnstsw %0" : "=a"(flags));
    return flags & FE_ALL_EXCEPT;
}

void base_floating_begin(struct base_floating *before)
{
    fpu_control_t control, plain = _FPU_DEFAULT;
    _FPU_GETCW(control);
    *before = (struct base_floating){base_sse_begin(), x87_flags(), control};
    if (control != plain) _FPU_SETCW(plain);
}

void base_floating_end(const struct base_floating *before)
{
    fpu_control_t now, control = before->x87_control;
    if (x87_flags() != before->x87_flags) {
        fexcept_t flags = (fexcept_t)before->x87_flags;
        fesetexceptflag(&flags, FE_ALL_EXCEPT);
    }
    _FPU_GETCW(now);
    if (now != control) _FPU_SETCW(control);
    base_sse_end(before->sse);
}
