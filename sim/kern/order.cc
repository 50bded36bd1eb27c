// SMPI's class of requests has no header that is installed. These functions of it are called
// through the dynamic linker, so that those here come first; where fields lie is found by pairs of
// requests that differ in what is looked for.
#include <smpi/smpi.h>

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Mailbox.hpp>

#include "kern/order.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <malloc.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace simgrid::smpi {
class Request {
  public:
    void start();
    static void iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
    static bool match_recv(void *receive, void *send, simgrid::kernel::activity::CommImpl *);
    static void finish_wait(MPI_Request *request, MPI_Status *status);
};
}   // namespace simgrid::smpi

using simgrid::s4u::Mailbox;
using simgrid::smpi::Request;

namespace {

// Flags of SMPI's (its src/smpi/include/private.hpp, the same in 3.32 and 4.0).
constexpr unsigned PERSISTENT = 0x1, SEND = 0x4, RECEIVE = 0x8, PROBE = 0x10, SYNCHRONOUS = 0x40,
                   PREPARED = 0x80, RMA = 0x200, BUFFERED = 0x2000;

double eager_bytes, receive_s;

[[noreturn]] void strange(const char *what)
{
    std::fprintf(stderr,
                 "sidewinder: %s is not found in a request of this SimGrid: messages would not be "
                 "received in the order in which they are sent\n",
                 what);
    std::exit(1);
}

// ---- fields of a request ------------------------------------------------------------------------

template <class Type> struct field {
    std::ptrdiff_t at = -1;   // -1: not known yet
    Type &of(const void *request) const
    {
        return *reinterpret_cast<Type *>(static_cast<char *>(const_cast<void *>(request)) + at);
    }
    // It is where the one has that and the other does as `fits` says, and nowhere else.
    template <class Fits> void find(const char *name, void *a, Type in_a, void *b, Fits fits)
    {
        const std::size_t bytes = std::min(malloc_usable_size(a), malloc_usable_size(b));
        field here;
        for (here.at = 0; here.at + sizeof(Type) <= bytes; here.at += sizeof(Type)) {
            if (here.of(a) != in_a || !fits(here.of(b))) continue;
            if (at >= 0) strange(name);
            at = here.at;
        }
        if (at < 0) strange(name);
    }
};

template <class Type> auto is(Type value)
{
    return [=](Type found) { return found == value; };
}
template <class Type> auto is_not(Type value)
{
    return [=](Type found) { return found != value; };
}

field<unsigned> flags;
field<std::size_t> size, size_now;   // what was asked for; of a request that was started
field<int> tag;
field<MPI_Comm> communicator;
field<long> source, destination;   // numbers of actors
// Errors of a message and a receive that were compared. SMPI compares by tag first, then looks
// which message is the next, and leaves what it has found of another one.
field<unsigned char> truncated, other_type;

// SMPI's own, behind these.
template <class Function> Function own(const char *symbol)
{
    void *found = dlsym(RTLD_NEXT, symbol);
    if (!found) strange(symbol);
    Function function;
    std::memcpy(&function, &found, sizeof function);
    return function;
}

bool compare(void *receive, void *send, simgrid::kernel::activity::CommImpl *message)
{
    static const auto match_recv =
        own<bool (*)(void *, void *, simgrid::kernel::activity::CommImpl *)>(
            "_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE");
    return match_recv(receive, send, message);
}

// The byte that is 0 in a receive, and 1 when it was compared with a message that does not fit. The
// message is a probe, so that it is not counted as received.
void learn_error(field<unsigned char> *error, const char *name, MPI_Datatype received,
                 MPI_Datatype sent, int count)
{
    static double unsent[2];
    MPI_Request send, receive;
    PMPI_Send_init(unsent, count, sent, 0, 0, MPI_COMM_SELF, &send);
    PMPI_Recv_init(unsent, 1, received, 0, 0, MPI_COMM_SELF, &receive);
    const auto *bytes = reinterpret_cast<const unsigned char *>(receive);
    for (MPI_Request r : {send, receive}) size_now.of(r) = size.of(r);
    const std::vector<unsigned char> before(bytes, bytes + malloc_usable_size(receive));
    flags.of(send) |= PROBE;
    compare(receive, send, nullptr);
    flags.of(send) &= ~PROBE;
    for (std::size_t i = 0; i < before.size(); i++) {
        if (before[i] == bytes[i]) continue;
        if (before[i] != 0 || bytes[i] != 1 || error->at >= 0) strange(name);
        error->at = static_cast<std::ptrdiff_t>(i);
    }
    if (error->at < 0) strange(name);
    for (MPI_Request *r : {&send, &receive}) PMPI_Request_free(r);
}

// Before the first message of the program: requests that are never started.
void learn()
{
    constexpr int ONE = 0x5ead, OTHER = 0x5eac;
    const long me = simgrid::s4u::this_actor::get_pid();
    static char unsent[ONE];
    MPI_Request plain, synchronous, receive, any;
    PMPI_Send_init(unsent, ONE, MPI_BYTE, 0, 0, MPI_COMM_SELF, &plain);
    PMPI_Ssend_init(unsent, OTHER, MPI_BYTE, 0, 0, MPI_COMM_SELF, &synchronous);
    PMPI_Recv_init(unsent, 1, MPI_BYTE, 0, ONE, MPI_COMM_SELF, &receive);
    PMPI_Recv_init(unsent, 1, MPI_BYTE, MPI_ANY_SOURCE, OTHER, MPI_COMM_WORLD, &any);
    constexpr unsigned FLAGS = PERSISTENT | SEND | PREPARED;
    flags.find("flags_", plain, FLAGS, synchronous, is(FLAGS | SYNCHRONOUS));
    size.find("size_", plain, ONE, synchronous, is<std::size_t>(OTHER));
    tag.find("tag_", receive, ONE, any, is(OTHER));
    communicator.find("comm_", receive, MPI_COMM_SELF, any, is_not(MPI_COMM_SELF));
    source.find("src_", receive, me, any, is<long>(MPI_ANY_SOURCE));
    destination.at = source.at + sizeof(long);
    if (destination.of(receive) != me || destination.of(any) != me) strange("dst_");
    for (MPI_Request *r : {&plain, &synchronous, &receive, &any}) PMPI_Request_free(r);
    size_now.at = communicator.at - static_cast<std::ptrdiff_t>(sizeof(std::size_t));
    learn_error(&truncated, "truncated_", MPI_INT, MPI_INT, 2);
    learn_error(&other_type, "unmatched_types_", MPI_INT, MPI_FLOAT, 1);
}

// False: MPI has not begun, or this is asked while they are being found.
bool known()
{
    static bool asked = false;
    int begun = asked;
    if (!begun) PMPI_Initialized(&begun);
    if (begun && !asked) {
        asked = true;
        learn();
    }
    return destination.at >= 0;
}

// ---- messages that wait -------------------------------------------------------------------------

// Addresses are used again: a long one is known by its number, too.
struct long_one {
    const Request *send;
    unsigned long number;
};
std::unordered_map<const Request *, unsigned long> number_of;   // of the last long one there
unsigned long long_begun;                                       // so many
std::unordered_set<long> long_ones;                             // actors for which some may wait
std::unordered_map<const Request *, std::vector<long_one>> behind;   // a short one: those before it

using Match = std::function<bool(void *, void *, simgrid::kernel::activity::CommImpl *)>;

// Sends in that mailbox, in their order, until one is taken. Kind is int in SimGrid 3, and another
// order of names in 4: both kinds are looked for.
template <class Result, class Kind, class Take>
const Request *look(Mailbox *mailbox, Result (Mailbox::*probe)(Kind, const Match &, void *),
                    Request *request, Take take)
{
    const Request *taken = nullptr;
    const Match match = [&](void *, void *other, simgrid::kernel::activity::CommImpl *) {
        auto *send = static_cast<Request *>(other);
        if (!taken && flags.of(send) & SEND && take(send)) taken = send;
        return false;
    };
    for (int kind = 0; kind < 2 && !taken; kind++)
        (mailbox->*probe)(static_cast<Kind>(kind), match, request);
    return taken;
}
template <class Take>
const Request *look_at(const char *format, long actor, Request *request, Take take)
{
    char name[32];
    std::snprintf(name, sizeof name, format, actor);
    return look(Mailbox::by_name(name), &Mailbox::iprobe, request, take);
}

// A short message is about to start, which long ones of the same rank may wait before.
void note_behind(Request *send)
{
    behind.erase(send);
    const long to = destination.of(send);
    if (long_ones.find(to) == long_ones.end()) return;
    const unsigned long begun = long_begun;
    bool none = true;
    std::vector<long_one> before;
    look_at("SMPI-%ld", to, send, [&](const Request *other) {   // other ranks run meanwhile
        none = false;
        if (source.of(other) == source.of(send)) before.push_back({other, number_of[other]});
        return false;
    });
    if (!before.empty()) behind[send] = before;
    if (none && begun == long_begun) long_ones.erase(to);
}

// A long one has started; whatever short one was at its address is gone.
void note_long(const Request *send)
{
    behind.erase(send);
    long_ones.insert(destination.of(send));
    number_of[send] = ++long_begun;
}

std::unordered_set<const Request *> long_received;   // receives that have met a long one

// What a receive for any tag must get before the short message that SMPI would take; NULL: that.
const Request *first_for(Request *receive)
{
    if (behind.empty()) return nullptr;
    const auto matches = [](Request *probe, Request *send) {
        const unsigned before = flags.of(probe);
        flags.of(probe) |= PROBE;   // so that nothing is counted as received
        const bool match = Request::match_recv(probe, send, nullptr);
        flags.of(probe) = before;
        return match;
    };
    // A match is noted in the request: here in one like it.
    MPI_Request like;
    PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &like);
    const MPI_Comm self = communicator.of(like);
    communicator.of(like) = communicator.of(receive);
    source.of(like) = source.of(receive);
    const long me = destination.of(receive);
    const Request *short_one =
        look_at("small-%ld", me, like, [&](Request *send) { return matches(like, send); });
    communicator.of(like) = self;
    PMPI_Request_free(&like);
    const auto found = behind.find(short_one);
    if (found == behind.end()) return nullptr;
    const std::vector<long_one> earlier = found->second;   // other ranks run meanwhile
    const Request *first = look_at("SMPI-%ld", me, receive, [&](Request *send) {
        const auto same = [&](const long_one &other) {
            return other.send == send && other.number == number_of[send];
        };
        return std::any_of(earlier.begin(), earlier.end(), same) && matches(receive, send);
    });
    if (!first) behind.erase(short_one);
    return first;
}

// The receive is one of that message, until it has been started.
void start_for(Request *receive, const Request *send, void (*start)(Request *))
{
    const int any_tag = tag.of(receive);
    const long any_source = source.of(receive);
    tag.of(receive) = tag.of(send);
    source.of(receive) = source.of(send);
    start(receive);
    tag.of(receive) = any_tag;
    source.of(receive) = any_source;
}

}   // namespace

void kern_order(double bytes, double seconds)
{
    eager_bytes = bytes;
    receive_s = seconds;
}

bool kern_with_nobody(const void *request)
{
    return known() && !(flags.of(request) & PERSISTENT) &&
           (source.of(request) == MPI_PROC_NULL || destination.of(request) == MPI_PROC_NULL);
}

void Request::start()
{
    static const auto start = own<void (*)(Request *)>("_ZN7simgrid4smpi7Request5startEv");
    if (!known()) return start(this);
    unsigned &mine = flags.of(this);
    if (mine & RECEIVE && tag.of(this) == MPI_ANY_TAG) {
        if (const Request *first = first_for(this)) return start_for(this, first, start);
    } else if (mine & SEND && !(mine & RMA)) {
        const bool long_one =
            !(mine & BUFFERED) && (mine & SYNCHRONOUS || size.of(this) >= eager_bytes);
        if (!long_one) note_behind(this);
        if (long_one) mine |= SYNCHRONOUS;
        start(this);
        if (long_one) note_long(this);
        return;
    }
    start(this);
}

// A send and a receive meet, where neither only probes.
bool Request::match_recv(void *receive, void *send, simgrid::kernel::activity::CommImpl *message)
{
    const bool learnt = other_type.at >= 0;
    const auto cut = learnt ? truncated.of(receive) : 0;
    const auto other = learnt ? other_type.of(receive) : 0;
    const bool match = compare(receive, send, message);
    if (!match && learnt) truncated.of(receive) = cut, other_type.of(receive) = other;
    if (match && destination.at >= 0 && !((flags.of(receive) | flags.of(send)) & PROBE) &&
        flags.of(send) & SYNCHRONOUS)
        long_received.insert(static_cast<Request *>(receive));
    return match;
}

void Request::finish_wait(MPI_Request *request, MPI_Status *status)
{
    static const auto finish_wait = own<void (*)(MPI_Request *, MPI_Status *)>(
        "_ZN7simgrid4smpi7Request11finish_waitEPPS1_P10MPI_Status");
    if (long_received.erase(*request) && receive_s > 0)
        simgrid::s4u::this_actor::sleep_for(receive_s);
    finish_wait(request, status);
}

// A probe finds what a receive would get.
void Request::iprobe(int from, int of_tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    static const auto iprobe = own<void (*)(int, int, MPI_Comm, int *, MPI_Status *)>(
        "_ZN7simgrid4smpi7Request6iprobeEiiPNS0_4CommEPiP10MPI_Status");
    if (of_tag == MPI_ANY_TAG && !behind.empty()) {
        MPI_Request like;
        PMPI_Recv_init(nullptr, 0, MPI_BYTE, from, of_tag, comm, &like);
        if (const Request *first = first_for(like)) {
            of_tag = tag.of(first);
            MPI_Group of_comm, world;
            PMPI_Comm_group(comm, &of_comm);
            PMPI_Comm_group(MPI_COMM_WORLD, &world);
            const auto self = simgrid::s4u::Actor::self();
            const int rank = source.of(first) - (self->get_pid() - std::atol(self->get_cname()));
            PMPI_Group_translate_ranks(world, 1, &rank, of_comm, &from);
            PMPI_Group_free(&of_comm);
            PMPI_Group_free(&world);
        }
        PMPI_Request_free(&like);
    }
    iprobe(from, of_tag, comm, flag, status);
}
