/* What every policy's file needs, and the family's list. */
#ifndef SERVE_POLICY_H
#define SERVE_POLICY_H

#include "serve/serve.h"

#define SERVE_POLICY(name) extern const struct serve_policy serve_##name;
#include "serve/policy/models.def"
#undef SERVE_POLICY

#endif
