/* What a resource was used for, judged: what it cannot have done. */
#include "base/base.h"

/* Rounding of sums of many dates. */
static bool exceeds(double value, double limit) { return value > limit * (1 + 1e-6) + 1e-9; }

char *base_use_breach(const struct base_use *use, double time_s)
{
    if (exceeds(use->busy_s, time_s + use->behind_s))
        return g_strdup_printf("the %s was busy for %g s of %g s", use->name, use->busy_s, time_s);
    time_s += use->behind_s;
    if (use->bytes_per_s > 0 && exceeds((double)use->bytes, use->bytes_per_s * time_s))
        return g_strdup_printf("the %s carried %" G_GUINT64_FORMAT
                               " bytes in %g s, at %g bytes a second",
                               use->name, use->bytes, time_s, use->bytes_per_s);
    if (use->bytes < use->owed)
        return g_strdup_printf("the %s carried %" G_GUINT64_FORMAT
                               " bytes of the %" G_GUINT64_FORMAT " that operations moved over it",
                               use->name, use->bytes, use->owed);
    return NULL;
}
