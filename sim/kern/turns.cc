// SimGrid lets an actor that waits in a simcall go on when that is answered, and has timers, which
// its C interface lacks.
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/simix.hpp>

#include "kern/turns.h"

#include <cmath>
#include <functional>
#include <set>
#include <vector>

// Of SimGrid's class this is all that is called; its header is not installed.
namespace simgrid::kernel::actor {
class ActorImpl {
  public:
    void simcall_answer();
};
}   // namespace simgrid::kernel::actor

using simgrid::kernel::timer::Timer;

namespace {

double now() { return simgrid::s4u::Engine::get_clock(); }

// Dates as near as SimGrid's precision (surf/precision) are one: picoseconds, in whole numbers.
double whole(double time_s) { return std::round(time_s * 1e12); }

// Lies in the frame of the function in which its rank sleeps.
struct sleeper {
    double until_s;
    int rank;
    bool yields;   // it may go on before
    simgrid::kernel::actor::ActorImpl *actor;
    bool slept;
    bool asked;   // and SimGrid has not come to it
};
struct earlier {
    bool operator()(const sleeper *a, const sleeper *b) const
    {
        const double one = whole(a->until_s), other = whole(b->until_s);
        return one != other ? one < other : a->rank < b->rank;
    }
};

std::set<sleeper *, earlier> all;
std::vector<sleeper *> of_rank;   // NULL: it does not sleep
int asked;                        // so many have
Timer *timer;                     // at the date of the first, or before it; NULL: none is set

void wake_first(bool slept)
{
    sleeper *first = *all.begin();
    all.erase(all.begin());
    first->slept = slept;
    first->actor->simcall_answer();
}

void wake();
struct waker {
    void operator()() const { wake(); }
};

// In SimGrid's own context, as the next ones.
void set_timer()
{
    if (all.empty()) return;
    const double first_s = std::fmax((*all.begin())->until_s, now());
    if (timer && timer->get_date() <= first_s) return;
    if (timer) timer->remove();
    timer = Timer::set(first_s, simgrid::xbt::Task<void()>(waker()));
}

// Those whose date has come.
void wake()
{
    timer = nullptr;
    while (!all.empty() && whole((*all.begin())->until_s) <= whole(now())) wake_first(true);
    set_timer();
}

void hand_over(double nothing_s)
{
    const sleeper *first = *all.begin();
    if (asked == 0 && first->yields && whole(first->until_s) < whole(nothing_s) &&
        first->until_s > now())
        wake_first(false);
    else
        set_timer();
}

// The rank sleeps no more, or was ended: its frames are left as they are.
void forget(int rank)
{
    sleeper *me = of_rank[rank];
    of_rank[rank] = nullptr;
    if (me->asked)
        asked--;
    else
        all.erase(me);
}

// True: until its date.
bool sleep(int rank, double until_s, bool yields, const std::function<void()> &then)
{
    sleeper me = {until_s, rank, yields, simgrid::s4u::Actor::self()->get_impl(), false, true};
    if (of_rank.size() <= static_cast<size_t>(rank)) of_rank.resize(rank + 1);
    of_rank[rank] = &me;
    asked++;
    simcall_run_blocking(
        [&me, &then] {
            me.asked = false;
            asked--;
            all.insert(&me);
            then();
        },
        nullptr);
    forget(rank);
    return me.slept;
}

sleeper *of(int rank)
{
    return static_cast<size_t>(rank) < of_rank.size() ? of_rank[rank] : nullptr;
}

}   // namespace

void kern_turns_sleep(int rank, double until_s)
{
    sleep(rank, until_s, false, [] { set_timer(); });
}

bool kern_turns_wait(int rank, double until_s, double nothing_s)
{
    return sleep(rank, until_s, true, [nothing_s] { hand_over(nothing_s); });
}

void kern_turns_gone(int rank)
{
    if (of(rank)) forget(rank);
}

void kern_turns_firm(int rank)
{
    if (sleeper *me = of(rank)) me->yields = false;
}
