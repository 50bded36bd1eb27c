// SimGrid lets an actor that waits in a simcall go on when that is answered, and has timers, which
// its C interface lacks.
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/simix.hpp>

#include "kern/turns.h"

#include <cmath>
#include <functional>
#include <iterator>
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
};
struct earlier {
    bool operator()(const sleeper *a, const sleeper *b) const
    {
        const double one = whole(a->until_s), other = whole(b->until_s);
        return one != other ? one < other : a->rank < b->rank;
    }
};

std::set<sleeper *, earlier> all;
std::vector<sleeper *> asked;   // to sleep, and SimGrid has not come to them
Timer *timer;                   // at the date of the first, or before it; NULL: none is set

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
    if (asked.empty() && first->yields && whole(first->until_s) < whole(nothing_s) &&
        first->until_s > now())
        wake_first(false);
    else
        set_timer();
}

sleeper running(int rank, double until_s, bool yields)
{
    return {until_s, rank, yields, simgrid::s4u::Actor::self()->get_impl(), false};
}

// That rank sleeps no more: what lies in its frame is not looked at again.
template <class Sleepers> void forget(Sleepers &sleepers, int rank)
{
    for (auto at = sleepers.begin(); at != sleepers.end();)
        at = (*at)->rank == rank ? sleepers.erase(at) : std::next(at);
}

void sleep(sleeper *me, const std::function<void()> &then)
{
    asked.push_back(me);
    simcall_run_blocking(
        [me, &then] {
            forget(asked, me->rank);
            all.insert(me);
            then();
        },
        nullptr);
}

}   // namespace

void kern_turns_sleep(int rank, double until_s)
{
    sleeper me = running(rank, until_s, false);
    sleep(&me, [] { set_timer(); });
}

bool kern_turns_wait(int rank, double until_s, double nothing_s)
{
    sleeper me = running(rank, until_s, true);
    sleep(&me, [nothing_s] { hand_over(nothing_s); });
    return me.slept;
}

void kern_turns_gone(int rank)
{
    forget(asked, rank);
    forget(all, rank);
}

void kern_turns_firm(int rank)
{
    for (sleeper *one : all)
        if (one->rank == rank) one->yields = false;
}
