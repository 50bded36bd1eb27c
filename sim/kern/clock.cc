// SimGrid's clock, without the look at what its model checker may replay, which takes longer.
#include "kern/clock.h"

// Of SimGrid's class this is all that is called; its header is not installed.
namespace simgrid::kernel {
class EngineImpl {
  public:
    static double get_clock();
};
}   // namespace simgrid::kernel

double kern_clock(void) { return simgrid::kernel::EngineImpl::get_clock(); }
