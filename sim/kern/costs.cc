// What an MPI message costs its two processors, where SimGrid is 4 or later.
// Its options smpi/os, smpi/ois and smpi/or leave a message of no bytes free there, such as a
// barrier's; SimGrid 3 charges it as the first section says. So the costs are given by functions,
// as its API allows.
#include <smpi/smpi.h>

#include "kern/costs.h"

void kern_costs(double send_s, double long_send_s, double short_bytes, double receive_s)
{
    const auto send = [=](size_t bytes, simgrid::s4u::Host *, simgrid::s4u::Host *) {
        return (double)bytes <= short_bytes ? send_s : long_send_s;
    };
    smpi_register_op_cost_callback(SmpiOperation::SEND, send);
    smpi_register_op_cost_callback(SmpiOperation::ISEND, send);
    smpi_register_op_cost_callback(
        SmpiOperation::RECV,
        [=](size_t, simgrid::s4u::Host *, simgrid::s4u::Host *) { return receive_s; });
}
