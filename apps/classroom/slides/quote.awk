# Fills a deck:   awk -f slides/quote.awk slides/labs1-2.md
# A line "    quote PAGE N" becomes the N-th command of that lab's page (a line of four blanks and a dollar) with what
# the page says it prints. So a deck says what its page says.
function quote(page, wanted,    line, n, blanks) {
    while ((getline line < page) > 0) {
        if (line ~ /^    \$ /) n++
        else if (line ~ /^[^ ]/) { if (n == wanted) break; blanks = 0; continue }
        if (n != wanted) continue
        if (line == "") { blanks++; continue }
        while (blanks > 0) { print ""; blanks-- }
        print line
    }
    close(page)
    if (n < wanted) { print FILENAME ": " page " has no command " wanted > "/dev/stderr"; failed = 1 }
}
/^    quote / { quote($2, $3); next }
{ print }
END { exit failed }
