# The description of a dot product, as the compiler plugin writes it
# (sim/cpu/block_format/block_format.h): operand 8 k + where.
        .text
        .globl  main
main:   xorl    %eax, %eax
        ret
        .section .note.GNU-stack, "", @progbits
        .section .sidewinder.blocks, "", @progbits
        .balign 8
begin:  .ascii  "SWBLOCKS"
        .long   20, end - begin
        .quad   1
        .long   2, 120200
        .uleb128 2, 1
        .uleb128 5
        .ascii  "dot.c"
        .uleb128 1
        .uleb128 3
        .ascii  "dot"
        .uleb128 0, 10, 0, 0, 2                 # file, line, flags, first block, blocks
        .uleb128 1, 2, 0, 9900, 1, 100, 0, 9    # a loop; successors; line; operations
        .byte   24, 0x0b
        .uleb128 0, 0, 2, 8*5+2, 0              # 0: phi, the sum
        .byte   24, 0x03
        .uleb128 0, 0, 2, 8*6+2, 0              # 1: phi, the index
        .byte   17, 0x0b
        .uleb128 0, 4, 2, 0, 8*1+1, 0, 2, 8     # 2: load, line 12
        .byte   17, 0x0b
        .uleb128 0, 0, 2, 0, 8*1+1, 1, 2, 8     # 3: load
        .byte   12, 0x0b
        .uleb128 0, 0, 2, 8*2+1, 8*3+1          # 4: multiply
        .byte   10, 0x0b
        .uleb128 1, 0, 2, 8*0+1, 8*4+1          # 5: add, live
        .byte   1, 0x03
        .uleb128 0, 1, 2, 8*1+1, 8*2+4          # 6: add, line 11
        .byte   4, 0x02
        .uleb128 0, 0, 2, 8*6+1, 0              # 7: compare
        .byte   20, 0x02
        .uleb128 8+64, 0, 1, 8*7+1, 2           # 8: branch, backward, counted: site 2
        .uleb128 0, 0, 0, 1                     # block 1: no successors
        .byte   23, 0x02
        .uleb128 0, 0, 0                        # return
        .balign 8
end:
