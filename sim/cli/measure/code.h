/* Machine code put together from snippets (snippets.def), and what it works on. */
#ifndef CLI_MEASURE_CODE_H
#define CLI_MEASURE_CODE_H

#include "base/base.h"

enum cli_snippet {
#define SNIPPET(name, text) CLI_CODE_##name,
#include "cli/measure/snippets.def"
#undef SNIPPET
    CLI_SNIPPETS
};
enum { CLI_INSTANCES = 8, CLI_SNIPPET_BYTES = 32 };

/* What the code's rdi points to; the snippets know the offsets. */
struct cli_data {
    void *chain[CLI_INSTANCES]; /* registers of the chains, before and after a run */
    double zero, one, five_fourths, four_fifths, other;
    char zeros[152];   /* 104 to 255 */
    char scratch[128]; /* 256 to 383: loaded and stored */
};
void cli_data_init(struct cli_data *data);

/* Is this processor one that the snippets are for, and may memory be executed? NULL: yes; else a
 * sentence that says what is missing. */
const char *cli_code_refused(void);
bool cli_code_has_fma(void);
int cli_code_vector_bytes(void); /* of a register */
/* What the processor says of a cache level, 1 or 2; 0: nothing. */
struct cli_said {
    uint64_t bytes, line;
    int ways;
};
struct cli_said cli_code_level(int level);
int cli_code_levels(void); /* how many levels it says that it has; 0: nothing */

/* A function that runs its body so many rounds. The room has one at a time: begin ends the one
 * before. */
void cli_code_begin(void);
void cli_code_add(enum cli_snippet snippet, int instance);
/* the snippet so often, of instance 0 (instances 1), or of all in turn (instances 8) */
void cli_code_repeat(enum cli_snippet snippet, int times, int instances);
void cli_code_end(void);
/* What has just been made becomes the reference: CLI_REFERENCE_CYCLES a round. */
enum { CLI_REFERENCE_CYCLES = 256 };
void cli_code_keep_reference(void);
void cli_code_run_reference(struct cli_data *data, long rounds);
void cli_code_run(struct cli_data *data, long rounds);
uint64_t cli_code_sum(void); /* of its bytes */
/* Makes the code that reads a word of each 64 bytes, CLI_READ_BYTES a round, from chain[0] on. */
enum { CLI_READ_BYTES = 512 };
void cli_code_reading(void);
/* Reads the words that n pointers point to, side by side. */
void cli_code_read(void *const *pointer, size_t n);

#endif
