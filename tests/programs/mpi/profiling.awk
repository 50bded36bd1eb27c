# Reads <mpi.h>, preprocessed, and writes a tool that wraps every call: it counts them, and adds up their time.
BEGIN { RS = ";"; print "#include <mpi.h>\nlong all_calls;\ndouble all_seconds;" }
{
    gsub(/[ \n\t]+/, " ")
    gsub(/__attribute__ ?\(\((visibility\("default"\))?\)\)/, "")
    if (/typedef|MPI_Wt(ime|ick)/) next   # which the tool itself needs
    if (/MPI_T_/) next                    # these have no other name
    if (!match($0, /(int|double|MPI_[A-Z][a-z]+) MPI_[A-Za-z_0-9]+ ?\(.*\)/)) next
    text = substr($0, RSTART, RLENGTH)
    if (text ~ /\.\.\./) next
    open = index(text, "(")
    head = substr(text, 1, open - 1); sub(/ $/, "", head)
    call = head; sub(/.* /, "", call)
    if (met[call]++) next
    args = substr(text, open + 1, length(text) - open - 1)
    n = args ~ /^ *(void)? *$/ ? 0 : split(args, part, ",")
    list = ""
    for (i = 1; i <= n; i++) {
        name = part[i]; gsub(/\[[^\]]*\]/, "", name)
        match(name, /[A-Za-z_0-9]+ *$/)
        list = list (i > 1 ? ", " : "") substr(name, RSTART)
    }
    type = head; sub(/ [^ ]*$/, "", type)
    print text "\n{\n    double begun = PMPI_Wtime();"
    print "    " type " back_ = P" call "(" list ");"
    print "    all_seconds += PMPI_Wtime() - begun; all_calls++;\n    return back_;\n}"
}
