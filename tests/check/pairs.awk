# The pairs of lines a run's JSON file blames: class, lower line, higher line. Notes blame nobody: with -v notes=1.
/^ "violations"/ { inside = 1 }
inside && /^  \{/ { here = there = class = ""; inner = 0 }
inside && /"other" : \{/ { inner = 1 }
inside && /"class" :/ { class = $3; gsub(/[",]/, "", class) }
inside && /"at" : "/ {
    place = $3
    gsub(/[",]/, "", place)
    sub(/.*:/, "", place)
    if (inner) there = place; else here = place
}
inside && /^  \},?$/ && (class != "note" || notes) {
    print class, here + 0 < there + 0 ? here : there, here + 0 < there + 0 ? there : here
}
/"violations" : \[\]/ || (inside && /^ \]/) { exit }
