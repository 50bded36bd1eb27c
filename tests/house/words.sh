# One word for one thing (words.txt). Sourced by rules.sh.

# texts: what people read, a line each, "place: text". Of a page what is neither quoted nor code; of a source its string
# literals with a blank in them; of a platform file its comments, which `machines` shows.
texts() {
    find "$root" -path '*/build*' -prune -o -path "$root/.git" -prune -o -type f \( -name '*.md' -o -name '*.mdoc' \
        -o -name '*.[157]' \) -print | sort | tr '\n' '\0' | xargs -0 -r awk -v root="$root/" '
        FNR == 1 {fenced = 0; quote = 0}
        /^ *```/ {fenced = !fenced}
        fenced || (FILENAME ~ /\.md$/ && /^    /) {next}
        {
            text = $0
            gsub(/`[^`]*`|\]\([^)]*\)|"[^"]*"/, " ", text)
            if (text ~ /^[ \t]*$/) quote = 0
            else if (gsub(/"/, "\"", text) % 2) {       # a quotation that begins in one line and ends in another
                if (quote) sub(/^[^"]*"/, "", text)
                else sub(/"[^"]*$/, "", text)
                quote = !quote
            } else if (quote) next
            print substr(FILENAME, length(root) + 1) ":" FNR ": " text
        }'
    [ -d "$root/platforms" ] && find "$root/platforms" -name '*.xml' | sort | tr '\n' '\0' | xargs -0 -r \
        awk -v root="$root/" '
        {
            text = $0
            gsub(/<[^!][^>]*>|"[^"]*"/, " ", text)
            print substr(FILENAME, length(root) + 1) ":" FNR ": " text
        }'
    [ -d "$root/sim" ] && find "$root/sim" -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o \
        -name '*.js' \) | grep -vE "$quoting" | sort | tr '\n' '\0' | xargs -0 -r awk -v root="$root/" '
        /^[ \t]*(\/\*|\*|\/\/|#)/ {next}
        {
            line = $0
            gsub(/\\"/, " ", line)
            while (match(line, /"[^"]*"/)) {
                text = substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
                gsub(/\\[nt]/, " ", text)
                if (text ~ / /) print substr(FILENAME, length(root) + 1) ":" FNR ": " text
            }
        }'
}

one_word_for_one_thing() {
    [ -e "$here/words.txt" ] && texts | awk -v list="$here/words.txt" -v let_pass="$second_words" '
        BEGIN {
            while ((getline line < list) > 0)
                if (line !~ /^#/ && match(line, /   +/)) {
                    pattern[++n] = "(^|[^a-z0-9_./=<-])(" substr(line, 1, RSTART - 1) ")($|[^a-z0-9_/=(-])"
                    word[n] = substr(line, RSTART + RLENGTH)
                }
            passes = split(let_pass, passing, "\n")
        }
        {
            text = tolower($0)
            place = $1
            sub(/^[^ ]* /, "", text)
            gsub(/[a-z0-9_*]+\.[a-z0-9_.*]+/, " ", text)    # keys, and names of files
            for (i = 1; i <= passes; i++) gsub(passing[i], " ", text)
            for (i = 1; i <= n; i++)
                if (match(text, pattern[i])) {
                    said = substr(text, RSTART, RLENGTH)
                    gsub(/^[^a-z]+|[^a-z]+$/, "", said)
                    print place " says \"" said "\"; the word is: " word[i]
                }
        }'
}
