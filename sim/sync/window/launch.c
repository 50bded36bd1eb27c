/* An operation on a window leaves: its transfer, from the request for it. */
#include "sync/window/state.h"

void sync_launch(struct sync_win *win, struct serve_proc *me, const struct sync_request *request,
                 struct move_set *set)
{
    struct sync_member *target = &win->member[request->target];
    struct move_transfer *op = move_transfer_new(win->move, request->kind, me->rank,
                                                 target->proc->rank, request->target_layout.bytes);
    op->trail.call = request->call;
    op->trail.site = request->site;
    op->trail.at_s[OP_CALLED] = serve_now(me);
    move_transfer_side(&op->from, &op->inline_piece[0], request->origin_addr,
                       &request->origin_layout);
    move_transfer_side(&op->to, &op->inline_piece[1],
                       (void *)((uintptr_t)target->base + request->target_offset),
                       &request->target_layout);
    if (request->kind == OP_GET_ACCUMULATE)
        move_transfer_side(&op->result, &op->inline_piece[2], request->result_addr,
                           &request->result_layout);
    if (win->direct)
        move_chunk_split(op, sync_piece_at(target, 0)->segment, (uintptr_t)target->base,
                         target->bytes);
    op->combine = request->combine;
    op->combine_arg = request->combine_arg;
    op->combine_is_code = request->combine_is_code;
    op->described = request->described;
    op->set = set;
    move_start(op);
}
