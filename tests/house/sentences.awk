# Sentences of more than `most` words in pages of Markdown:   awk -v most=25 -v root=FOLDER/ -f sentences.awk PAGE...
# A line an offender. What stands between quotation marks or backquotes is one word; programs, what they print, tables
# and headings are not sentences.
function unit(    n, i, words, word, text) {
    gsub(/`[^`]*`/, "Code", paragraph)
    gsub(/!?\[!?[^]]*\]\([^)]*\)/, "Link", paragraph)
    gsub(/"[^"]*"/, "Quoted", paragraph)
    n = split(paragraph, word, /[ \t]+/)
    for (i = 1; i <= n; i++) {
        if (word[i] ~ /[A-Za-z0-9]/) words++
        if (word[i] ~ /[.!?][)*"]*$/ && (i == n || word[i + 1] ~ /^[*("]*[A-Z0-9]/) || i == n) {
            if (words > most) print substr(file, length(root) + 1) ":" from ": a sentence of " words " words"
            words = 0
        }
    }
    paragraph = ""
}
FNR == 1 { unit(); fenced = 0; file = FILENAME }
/^ *```/ { unit(); fenced = !fenced; next }
fenced || /^#/ || /^ *\|/ || /^[ \t]*$/ { unit(); next }
paragraph == "" && /^    / { next }
/^ *([-*]|[0-9]+\.) / { unit(); sub(/^ *([-*]|[0-9]+\.) /, "") }
paragraph == "" { from = FNR; file = FILENAME }
{ paragraph = paragraph " " $0 }
END { unit() }
