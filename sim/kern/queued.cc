// SimGrid's C interface does not say whether a message has met its other side. What has not lies in
// the queue of a mailbox, and a probe shows each of those to the function that is to match it.
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Mailbox.hpp>

#include "kern/queued.h"

#include <cstdio>
#include <cstdlib>

using simgrid::s4u::Mailbox;
using Match = std::function<bool(void *, void *, simgrid::kernel::activity::CommImpl *)>;

// Kind is int in SimGrid 3. Both kinds are looked for: those that send, and those that receive.
// What is to be matched must be a request: SimGrid 4 notes its tag.
template <class Result, class Kind>
static bool queued_at(Mailbox *mailbox, Result (Mailbox::*probe)(Kind, const Match &, void *),
                      void *request)
{
    bool found = false;
    const auto look = [&](void *, void *other, simgrid::kernel::activity::CommImpl *) {
        found = found || other == request;
        return false;
    };
    for (int kind = 0; kind < 2 && !found; kind++)
        (mailbox->*probe)(static_cast<Kind>(kind), look, request);
    return found;
}

// SMPI names a rank's two mailboxes, for long messages and for short ones, by the number of its
// actor; it starts them in order of ranks.
int kern_queued(const void *request, int ranks)
{
    const auto self = simgrid::s4u::Actor::self();
    const long first = self->get_pid() - std::atol(self->get_cname());
    for (long actor = first; actor < first + ranks; actor++)
        for (const char *format : {"SMPI-%ld", "small-%ld"}) {
            char name[32];
            std::snprintf(name, sizeof name, format, actor);
            if (queued_at(Mailbox::by_name(name), &Mailbox::iprobe, const_cast<void *>(request)))
                return 1;
        }
    return 0;
}
