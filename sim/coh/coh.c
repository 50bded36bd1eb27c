/* The family of protocols. */
#include <string.h>

#include "base/base.h"
#include "coh/protocol.h"

static const struct coh_protocol *const protocols[] = {
#define COH_PROTOCOL(name) &coh_##name,
#include "coh/models.def"
#undef COH_PROTOCOL
};

static const char state_name[] = "ISEOM";
static const char *const event_name[] = {"LOAD",  "LOAD_SHARED", "STORE",
                                         "EVICT", "SNOOP_READ",  "SNOOP_OWN"};

/* What is wrong with one step; NULL: nothing. */
static const char *step_fault(const struct coh_protocol *p, enum coh_state state,
                              enum coh_event event)
{
    struct coh_step step = p->table[state][event];
    bool used = p->states & 1u << state;
    if (!(step.actions & COH_GIVEN)) return "is a hole";
    if (used == (bool)(step.actions & COH_ILLEGAL))
        return used ? "never happens in a state that is used" : "is given for a state not used";
    if (!used) return NULL;
    if (!(p->states & 1u << step.next)) return "leads to a state not used";
    if (event <= COH_STORE && step.next == COH_I)
        return "leaves the processor without the requested line";
    if (event == COH_EVICT && step.next != COH_I) return "keeps a line that was dropped";
    return NULL;
}

char *coh_fault(const struct coh_protocol *p)
{
    if (!p->name || !p->doc || !p->source)
        return g_strdup("a protocol without name, doc or source");
    if (!(p->states & 1 << COH_I)) return g_strdup_printf("%s: no invalid state", p->name);
    for (enum coh_state state = COH_I; state < COH_STATES; state++)
        for (enum coh_event event = COH_LOAD; event < COH_EVENTS; event++) {
            const char *fault = step_fault(p, state, event);
            if (fault)
                return g_strdup_printf("%s: [%c][%s] %s", p->name, state_name[state],
                                       event_name[event], fault);
        }
    return NULL;
}

const struct coh_protocol *const *coh_all(size_t *n)
{
    for (size_t i = 0; i < G_N_ELEMENTS(protocols); i++) {
        g_autofree char *fault = coh_fault(protocols[i]);
        if (fault) g_error("coherence protocol %s", fault);
    }
    *n = G_N_ELEMENTS(protocols);
    return protocols;
}

const struct coh_protocol *coh_find(const char *name)
{
    size_t n;
    const struct coh_protocol *const *all = coh_all(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    return NULL;
}
