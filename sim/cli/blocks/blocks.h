/* cli/blocks: `sidewinder blocks`. */
#ifndef CLI_BLOCKS_BLOCKS_H
#define CLI_BLOCKS_BLOCKS_H

int cli_blocks(int argc, char **argv);

#endif
