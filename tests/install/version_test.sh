#!/bin/bash
# --version names the commit as git describe does; a tree without git has the version all the same.
. "$(dirname "$0")/../lib.sh"
top=$(realpath "$here/../..")
[ -e "$top/.git" ] && command -v git >"$work/none" || { echo "no clone here"; exit 77; }
clone=$work/clone
git init -q "$clone" && mkdir "$clone/install" && cp "$top"/install/{version.cmake,exported.txt} "$clone/install"
cp "$top/.gitattributes" "$clone"
commit() { git -C "$clone" -c user.name=n -c user.email=e@example.org commit -qm one --allow-empty; }
# written TREE: what a build of it writes
written() {
    rm -f "$work/file"
    cmake -D SOURCE="$1" -D VERSION=0.1.0 -D FILE="$work/file" -P "$1/install/version.cmake"
    cat "$work/file"
}
git -C "$clone" add -A && commit
hash=$(git -C "$clone" rev-parse --short HEAD)
says "a clone without a tag is the version to come, the commits so far, and its commit" \
    [ "$(written "$clone")" = "v0.1.0-dev-1-g$hash" ]
git clone -q --depth 1 "file://$clone" "$work/shallow"
says "a shallow clone, which cannot count, is its commit" [ "$(written "$work/shallow")" = "$hash" ]
exported() { rm -rf "$work/$1" && mkdir "$work/$1" && git -C "$clone" archive HEAD | tar -x -C "$work/$1"; }
exported untagged
says "an exported tree without a tag is its commit" [ "$(written "$work/untagged")" = "$hash" ]
git -C "$clone" tag v0.1.0
says "a tagged commit is its tag" [ "$(written "$clone")" = v0.1.0 ]
commit
says "a later one is what git describe says" [ "$(written "$clone")" = "$(git -C "$clone" describe --tags)" ]
echo >>"$clone/install/version.cmake"
says "and a changed file shows" eval '[[ $(written "$clone") = v0.1.0-1-g*-dirty ]]'
exported tarball
says "an exported tree is what git describe says of the commit it was exported from" \
    [ "$(written "$work/tarball")" = "$(git -C "$clone" describe --tags HEAD)" ]
mkdir "$work/copy" && cp -r "$clone/install" "$work/copy"
says "a copy without git knows none" [ -z "$(written "$work/copy")" ]

# The command shows what was written beside it, and the bare version for a release.
mkdir -p "$work/bin" "$work/share/sidewinder"
cp "$sidewinder" "$work/bin"
bare=$("$work/bin/sidewinder" --version)
says "the command without it has the version" eval '[[ $bare =~ ^sidewinder\ [0-9.]+$ ]]'
echo v9.9.9-3-gabc >"$work/share/sidewinder/commit"
says "with it, the version and the commit" [ "$("$work/bin/sidewinder" --version)" = "$bare (v9.9.9-3-gabc)" ]
echo "v${bare#sidewinder }" >"$work/share/sidewinder/commit"
says "at the release, the version" [ "$("$work/bin/sidewinder" --version)" = "$bare" ]
finish
