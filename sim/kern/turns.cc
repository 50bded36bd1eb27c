// SimGrid lets an actor that waits in a simcall go on when that is answered, and has timers, which
// its C interface lacks.
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/simix.hpp>

#include "kern/turns.h"

#include <cmath>
#include <set>

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
    bool asked, asleep, slept;
};
struct earlier {
    bool operator()(const sleeper *a, const sleeper *b) const
    {
        const double one = whole(a->until_s), other = whole(b->until_s);
        return one != other ? one < other : a->rank < b->rank;
    }
};

std::set<sleeper *, earlier> all;
int coming;     // so many have asked, and SimGrid has not come to them
Timer *timer;   // at the date of the first, or before it; NULL: none is set

void wake_first(bool slept)
{
    sleeper *first = *all.begin();
    all.erase(all.begin());
    first->asleep = false;
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
    if (!coming && first->yields && whole(first->until_s) < whole(nothing_s) &&
        first->until_s > now())
        wake_first(false);
    else
        set_timer();
}

// The running actor, from when it asks to sleep. Whoever is killed meanwhile does not any more.
class bed {
    sleeper who;

  public:
    bed(int rank, double until_s, bool yields)
        : who{until_s, rank, yields, simgrid::s4u::Actor::self()->get_impl(), true, false, false}
    {
        coming++;
    }
    ~bed()
    {
        if (who.asleep) all.erase(&who);
        if (who.asked) coming--;
    }
    // in SimGrid's own context
    void lie_down()
    {
        coming--;
        who.asked = false;
        who.asleep = true;
        all.insert(&who);
    }
    bool slept() const { return who.slept; }
};

}   // namespace

void kern_turns_sleep(int rank, double until_s)
{
    bed here(rank, until_s, false);
    simcall_run_blocking(
        [&here] {
            here.lie_down();
            set_timer();
        },
        nullptr);
}

bool kern_turns_wait(int rank, double until_s, double nothing_s)
{
    bed here(rank, until_s, true);
    simcall_run_blocking(
        [&here, nothing_s] {
            here.lie_down();
            hand_over(nothing_s);
        },
        nullptr);
    return here.slept();
}

void kern_turns_firm(int rank)
{
    for (sleeper *one : all)
        if (one->rank == rank) one->yields = false;
}
