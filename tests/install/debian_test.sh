#!/bin/bash
# debian/ fits the project: its version, and what a build needs. That it builds is tried by hand: dpkg-buildpackage -b.
. "$(dirname "$0")/../lib.sh"
top=$here/../..
says "debian/changelog has the project's version" [ "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")" = \
    "$(sed -n 's/^project(sidewinder VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")" ]
packages=$(sed -n "/^packages_for_demo=/,/'\$/p" "$top/bootstrap" |
    tr "= '" "\n" | sed -n "s/:.*//p" | grep -v "^build-essential$")
for package in $packages; do
    says "debian/control asks for $package" grep -q "[ ,]$package\(,\|$\)" "$top/debian/control"
done
says "every link leads to what is installed" eval '[ "$(cut -d" " -f1 "$top/debian/links")" = \
    usr/lib/sidewinder/bin/sidewinder ]'
says "completions lie where Debian's zsh looks" grep -q "share/zsh/vendor-completions$" "$top/debian/rules"
finish
