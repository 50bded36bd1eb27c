/* Functions of C++'s library that only follow and change pointers of the program's nodes: of
 * std::map and std::set, and of std::list. Their code is here, and it is instrumented, so that each
 * load, store and branch is the program's own. Linked from an archive, into programs that call one.
 *
 * Names and nodes: libstdc++'s stl_tree and stl_list. A red-black tree as in Cormen,
 * Leiserson, Rivest and Stein, Introduction to Algorithms. Its header is a node whose parent is the
 * root, whose left is the first node and whose right the last. */
#include <stdbool.h>
#include <stddef.h>

#define STAND_IN __attribute__((weak, visibility("hidden")))

enum colour { RED, BLACK };
struct tree {
    enum colour colour;
    struct tree *parent, *left, *right;
};

/* ---- to the next, to the one before ---------------------------------------------------------- */

static inline struct tree *next(struct tree *n)
{
    if (n->right) {
        for (n = n->right; n->left;) n = n->left;
        return n;
    }
    struct tree *above = n->parent;
    for (; n == above->right; above = above->parent) n = above;
    return n->right != above ? above : n; /* the header is the root's parent, and its child */
}

static inline struct tree *before(struct tree *n)
{
    if (n->colour == RED && n->parent->parent == n) return n->right; /* the header */
    if (n->left) {
        for (n = n->left; n->right;) n = n->right;
        return n;
    }
    struct tree *above = n->parent;
    for (; n == above->left; above = above->parent) n = above;
    return above;
}

#define STEP(name, way)                                                                            \
    STAND_IN struct tree *name(struct tree *n);                                                    \
    STAND_IN struct tree *name(struct tree *n) { return way(n); }
STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, next)
STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, next)
STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, before)
STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, before)

/* ---- changes of a tree ----------------------------------------------------------------------- */

static inline void replace(struct tree *old, struct tree *new, struct tree *header)
{
    if (header->parent == old)
        header->parent = new;
    else if (old->parent->left == old)
        old->parent->left = new;
    else
        old->parent->right = new;
}

static inline void rotate_left(struct tree *n, struct tree *header)
{
    struct tree *up = n->right;
    n->right = up->left;
    if (up->left) up->left->parent = n;
    up->parent = n->parent;
    replace(n, up, header);
    up->left = n;
    n->parent = up;
}

static inline void rotate_right(struct tree *n, struct tree *header)
{
    struct tree *up = n->left;
    n->left = up->right;
    if (up->right) up->right->parent = n;
    up->parent = n->parent;
    replace(n, up, header);
    up->right = n;
    n->parent = up;
}

static inline bool is_black(const struct tree *n) { return !n || n->colour == BLACK; }

STAND_IN void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, struct tree *n, struct tree *parent, struct tree *header);
STAND_IN void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left,
                                                                                struct tree *n,
                                                                                struct tree *parent,
                                                                                struct tree *header)
{
    n->parent = parent;
    n->left = n->right = NULL;
    n->colour = RED;
    if (left) {
        parent->left = n; /* of the header: the first */
        if (parent == header)
            header->parent = header->right = n;
        else if (parent == header->left)
            header->left = n;
    } else {
        parent->right = n;
        if (parent == header->right) header->right = n;
    }
    while (n != header->parent && n->parent->colour == RED) {
        struct tree *above = n->parent->parent;
        const bool is_left = n->parent == above->left;
        struct tree *uncle = is_left ? above->right : above->left;
        if (!is_black(uncle)) {
            n->parent->colour = uncle->colour = BLACK;
            above->colour = RED;
            n = above;
        } else if (is_left) {
            if (n == n->parent->right) rotate_left(n = n->parent, header);
            n->parent->colour = BLACK;
            above->colour = RED;
            rotate_right(above, header);
        } else {
            if (n == n->parent->left) rotate_right(n = n->parent, header);
            n->parent->colour = BLACK;
            above->colour = RED;
            rotate_left(above, header);
        }
    }
    header->parent->colour = BLACK;
}

/* A path through n, which may be NULL, lacks one that is black. */
static inline void blacken(struct tree *n, struct tree *parent, struct tree *header)
{
    while (n != header->parent && is_black(n)) {
        const bool is_left = n == parent->left;
        struct tree *other = is_left ? parent->right : parent->left;
        if (other->colour == RED) {
            other->colour = BLACK;
            parent->colour = RED;
            is_left ? rotate_left(parent, header) : rotate_right(parent, header);
            other = is_left ? parent->right : parent->left;
        }
        if (is_black(other->left) && is_black(other->right)) {
            other->colour = RED;
            n = parent;
            parent = n->parent;
            continue;
        }
        if (is_left && is_black(other->right)) {
            other->left->colour = BLACK;
            other->colour = RED;
            rotate_right(other, header);
            other = parent->right;
        } else if (!is_left && is_black(other->left)) {
            other->right->colour = BLACK;
            other->colour = RED;
            rotate_left(other, header);
            other = parent->left;
        }
        other->colour = parent->colour;
        parent->colour = BLACK;
        (is_left ? other->right : other->left)->colour = BLACK;
        is_left ? rotate_left(parent, header) : rotate_right(parent, header);
        break;
    }
    if (n) n->colour = BLACK;
}

STAND_IN struct tree *
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree *n, struct tree *header);
STAND_IN struct tree *
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree *n, struct tree *header)
{
    struct tree *heir = n, *child, *parent;
    if (n->left && n->right)
        for (heir = n->right; heir->left;) heir = heir->left;
    child = heir->left ? heir->left : heir->right;
    enum colour lost = heir->colour;
    if (heir != n) { /* it takes the place of n */
        n->left->parent = heir;
        heir->left = n->left;
        parent = heir;
        if (heir != n->right) {
            parent = heir->parent;
            if (child) child->parent = parent;
            parent->left = child;
            heir->right = n->right;
            n->right->parent = heir;
        }
        replace(n, heir, header);
        heir->parent = n->parent;
        heir->colour = n->colour;
    } else {
        parent = n->parent;
        if (child) child->parent = parent;
        replace(n, child, header);
        struct tree *end = child;
        if (header->left == n) {
            for (; end && end->left;) end = end->left;
            header->left = end ? end : parent;
        }
        end = child;
        if (header->right == n) {
            for (; end && end->right;) end = end->right;
            header->right = end ? end : parent;
        }
    }
    if (lost == BLACK) blacken(child, parent, header);
    return n;
}

/* ---- lists ----------------------------------------------------------------------------------- */

struct list {
    struct list *next, *before;
};

STAND_IN void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list *n, struct list *behind);
STAND_IN void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list *n, struct list *behind)
{
    n->next = behind;
    n->before = behind->before;
    behind->before->next = n;
    behind->before = n;
}

STAND_IN void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct list *n);
STAND_IN void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct list *n)
{
    n->before->next = n->next;
    n->next->before = n->before;
}

/* [first, end) goes in front of `behind`. */
STAND_IN void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list *behind,
                                                                   struct list *first,
                                                                   struct list *end);
STAND_IN void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list *behind,
                                                                   struct list *first,
                                                                   struct list *end)
{
    if (behind == end) return;
    struct list *last = end->before;
    last->next = behind;
    first->before->next = end;
    behind->before->next = first;
    end->before = first->before;
    first->before = behind->before;
    behind->before = last;
}
