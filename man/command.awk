# A manual page in mdoc(7) of what `sidewinder COMMAND --help` prints, whose options are those of the command's table.
#   awk -v name=sidewinder-run -v about=WORDS -v date=DATE -v see=XREFS -v status=TEXT -v from=PATH -v to=PATH
#       -f mdoc.awk -f command.awk MORE HELP
# MORE: mdoc text that ends DESCRIPTION; a section that it begins itself comes after OPTIONS. status: EXIT STATUS, where
# --help has none. A path of the build tree, from, becomes the installed one.
BEGIN { section = "DESCRIPTION" }
FNR == NR {
    if (/^[.]Sh /) sections = 1
    if (sections) after = after $0 "\n"
    else more = more $0 "\n"
    next
}
FNR == 1 { section = "DESCRIPTION"; more_text = more }
{ while ((i = index($0, from)) > 0) $0 = substr($0, 1, i - 1) to substr($0, i + length(from)) }
/^Usage:/ { in_usage = 1; sub(/^Usage: */, "") }
in_usage && /^$/ { if (usage != "") in_usage = 0; next }
in_usage { sub(/^ +/, ""); usage = usage mdoc_escape($0) "\n"; next }
/^Options:$/ { flush(); next }
/^(Examples|Environment|Commands):$/ { flush(); section = toupper($0); sub(/:/, "", section); next }
/^Environment: / { flush(); section = "ENVIRONMENT"; sub(/^Environment: /, "") }
/^Exit status: / { flush(); status = substr($0, 14); in_status = 1; next }
in_status && !/^$/ { status = status " " $0; next }
{ in_status = 0 }
/^  +-/ && literal == "" {
    flush()
    sub(/^ +/, "")
    at = match($0, /   +/)
    item = mdoc_escape(at ? substr($0, 1, at - 1) : $0)
    meaning = at ? substr($0, at) : ""
    next
}
item != "" && /^ / { meaning = meaning " " $0; next }
/^$/ { if (literal != "") blank = 1; else flush(); next }
/^ / {
    if (paragraph != "") flush()
    if (blank) literal = literal "\n"
    blank = 0
    sub(/^  /, "")
    literal = literal mdoc_escape($0) "\n"
    next
}
{
    if (literal != "" || item != "") flush()
    if (section == "ENVIRONMENT" && paragraph == "" && body[section] != "") section = "DESCRIPTION"
    paragraph = paragraph " " $0
}
function flush() {
    if (paragraph != "") body[section] = body[section] (body[section] == "" ? "" : ".Pp\n") mdoc_text(paragraph)
    if (literal != "") body[section] = body[section] mdoc_literal(literal)
    if (item != "") options = options ".It " item "\n" mdoc_text(meaning)
    paragraph = literal = item = meaning = blank = ""
}
function show(title, text) { if (text != "") printf ".Sh %s\n%s", title, text }
END {
    flush()
    mdoc_head(name, 1, about, date)
    show("SYNOPSIS", mdoc_literal(usage))
    show("DESCRIPTION", body["DESCRIPTION"] more_text)
    show("COMMANDS", body["COMMANDS"])
    show("OPTIONS", options == "" ? "" : ".Bl -tag -width 6n\n" options ".El\n")
    printf "%s", after
    show("ENVIRONMENT", body["ENVIRONMENT"])
    show("EXIT STATUS", status == "" ? "" : mdoc_text(status))
    show("EXAMPLES", body["EXAMPLES"])
    show("SEE ALSO", see "\n")
}
