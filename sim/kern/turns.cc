// SimGrid lets an actor that waits in a simcall go on when that is answered, and has timers, which
// its C interface lacks.
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Actor.hpp>
#if __has_include(<simgrid/simcall.hpp>)   // SimGrid 4, where the other is deprecated
#include <simgrid/simcall.hpp>
#else
#include <simgrid/simix.hpp>
#endif

#include "kern/clock.h"
#include "kern/turns.h"

#include <algorithm>
#include <cmath>
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

// Dates as near as SimGrid's precision (surf/precision) are one: picoseconds, in whole numbers.
double whole(double time_s) { return std::round(time_s * 1e12); }

enum class stage { asked, sleeps, woken };   // asked: SimGrid has not come to it

// Lies in the frame of the function in which its rank sleeps.
struct sleeper {
    double until_s, nothing_s;
    double whole;   // until_s
    int rank;
    bool yields;   // it may go on before
    bool slept;
    stage is;
    unsigned long round;   // of SimGrid's in which it ran last
    simgrid::kernel::actor::ActorImpl *actor;
};

struct later {
    bool operator()(const sleeper *a, const sleeper *b) const
    {
        return a->whole != b->whole ? a->whole > b->whole : a->rank > b->rank;
    }
};

std::vector<sleeper *> all;       // that sleep, as a heap
std::vector<sleeper *> of_rank;   // NULL: it does not sleep
int asked, woken;                 // so many have; so many have not gone on yet
Timer *timer;                     // at the date of the first, or before it; NULL: none is set
// SimGrid's rounds: in each those actors run who can, and then it answers what they have asked for.
unsigned long rounds;

void wake_first(bool slept)
{
    sleeper *first = all.front();
    std::pop_heap(all.begin(), all.end(), later());
    all.pop_back();
    first->slept = slept;
    first->is = stage::woken;
    woken++;
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
    const double until_s = all.front()->until_s;
    if (timer && timer->get_date() <= until_s) return;
    const double first_s = std::fmax(until_s, kern_clock());
    if (timer && timer->get_date() <= first_s) return;
    if (timer) timer->remove();
    timer = Timer::set(first_s, simgrid::xbt::Task<void()>(waker()));
}

// Those whose date has come.
void wake()
{
    timer = nullptr;
    const double now_whole = whole(kern_clock());
    while (!all.empty() && all.front()->whole <= now_whole) wake_first(true);
    set_timer();
}

// May the first of all go on, while nothing else happens?
bool goes_on(const sleeper *first, double nothing_s)
{
    return asked == 0 && first->yields && first->whole < whole(nothing_s) &&
           first->until_s > kern_clock();
}

void add(sleeper *me)
{
    me->is = stage::sleeps;
    all.push_back(me);
    std::push_heap(all.begin(), all.end(), later());
}

// In its own context, if nobody else is about to run. The first of all follows it in the same round
// of SimGrid's, which goes through its list of actors to the end, however long that has become. Not
// one that has run in this round already: SimGrid would answer twice what it asks for next.
bool hands_over(sleeper *me)
{
    if (!me->yields || all.empty() || woken > 0) return false;
    const sleeper *first = all.front();
    if (first->round == rounds || later()(first, me)) return false;
    if (!goes_on(first, me->nothing_s)) return false;
    wake_first(false);
    add(me);
    return true;
}

// In SimGrid's own context, at the end of the round.
void begin(sleeper *me)
{
    rounds++;
    if (me->is != stage::asked) return;   // it has handed over
    asked--;
    add(me);
    if (me->yields && goes_on(all.front(), me->nothing_s))
        wake_first(false);
    else
        set_timer();
}

// The rank sleeps no more, or was ended: its frames are left as they are.
void forget(int rank)
{
    sleeper *me = of_rank[rank];
    of_rank[rank] = nullptr;
    if (me->is == stage::asked) asked--;
    if (me->is == stage::woken) woken--;
    if (me->is != stage::sleeps) return;
    all.erase(std::find(all.begin(), all.end(), me));
    std::make_heap(all.begin(), all.end(), later());
}

// The actor of a rank is always the same.
simgrid::kernel::actor::ActorImpl *actor_of(int rank)
{
    static std::vector<simgrid::kernel::actor::ActorImpl *> actors;
    if (actors.size() <= static_cast<size_t>(rank)) actors.resize(rank + 1);
    if (!actors[rank]) actors[rank] = simgrid::s4u::Actor::self()->get_impl();
    return actors[rank];
}

// True: until its date.
bool sleep(int rank, double until_s, bool yields, double nothing_s)
{
    sleeper me = {until_s, nothing_s,    whole(until_s), rank,          yields,
                  false,   stage::asked, rounds,         actor_of(rank)};
    if (of_rank.size() <= static_cast<size_t>(rank)) of_rank.resize(rank + 1);
    of_rank[rank] = &me;
    if (!hands_over(&me)) asked++;
    simcall_run_blocking([&me] { begin(&me); }, nullptr);
    forget(rank);
    return me.slept;
}

sleeper *of(int rank)
{
    return static_cast<size_t>(rank) < of_rank.size() ? of_rank[rank] : nullptr;
}

}   // namespace

void kern_turns_sleep(int rank, double until_s) { sleep(rank, until_s, false, 0); }

bool kern_turns_wait(int rank, double until_s, double nothing_s)
{
    return sleep(rank, until_s, true, nothing_s);
}

void kern_turns_gone(int rank)
{
    if (of(rank)) forget(rank);
}

void kern_turns_firm(int rank)
{
    if (sleeper *me = of(rank)) me->yields = false;
}
