# What SimGrid wants of a library that no run uses, out of `nm -D -P -t d --without-symbol-versions SIMGRID LIBRARY`: C
# for a library that has no more than that. Functions return 0: SimGrid calls a few when it is loaded.
NF < 2 { next } # a file's name
$2 == "U" { wanted[$1]; next }
!($1 in wanted) || made[$1]++ { next }
$2 ~ /^[BDRV]$/ { printf "char %s[%d];\n", $1, $4; next }
{ printf "void *%s(void) { return 0; }\n", $1 }
