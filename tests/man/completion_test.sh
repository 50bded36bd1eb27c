#!/bin/bash
# What bash completes of `sidewinder`: the commands, every option that --help lists, machines and keys.
. "$(dirname "$0")/../lib.sh"
share=$(realpath "$(dirname "$sidewinder")/../share")
PATH=$(dirname "$sidewinder"):$PATH
. "$share/bash-completion/completions/sidewinder"
# completes WORD...: the last word is being typed; what may stand there is in COMPREPLY.
completes() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _sidewinder
    printf '%s\n' "${COMPREPLY[@]}" >"$work/replies"
}
completes sidewinder ''
for command in cc run sweep machines; do says "the command $command" grep -qx "$command" "$work/replies"; done
completes sidewinder run --js
says "run --js is --json" [ "${COMPREPLY[*]}" = --json ]
for command in $("$sidewinder" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
    completes sidewinder "$command" -
    "$sidewinder" "$command" --help | grep -oE '^  +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' >"$work/options"
    says "$command: every option of --help" eval '! grep -vxF -f "$work/replies" "$work/options"'
done
completes sidewinder run -m t
says "run -m t is t3d" [ "${COMPREPLY[*]}" = t3d ]
completes sidewinder machines sm
says "machines sm is smp" [ "${COMPREPLY[*]}" = smp ]
completes sidewinder run --machine = sm
says "run --machine=sm is smp" [ "${COMPREPLY[*]}" = smp ]
completes sidewinder run --set serve.po
says "run --set serve.po is serve.policy=" [ "${COMPREPLY[*]}" = serve.policy= ]
completes sidewinder run --set ni.invalidate = a
says "run --set ni.invalidate=a is address" [ "${COMPREPLY[*]}" = address ]
completes sidewinder whatif --with sm
says "whatif --with sm is smp" [ "${COMPREPLY[*]}" = smp ]
completes sidewinder gdb --check-m
says "gdb has the options of run" [ "${COMPREPLY[*]}" = --check-memory ]
completes sidewinder limits --by l
says "limits --by takes a number" [ -z "${COMPREPLY[*]}" ]
completes sidewinder plot --format p
says "plot --format p is pdf or png" [ "${COMPREPLY[*]}" = "pdf png" ]
completes sidewinder profile --format s
says "profile --format s is speedscope" [ "${COMPREPLY[*]}" = speedscope ]
completes sidewinder profile --by l
says "profile --by l is line or lock" [ "${COMPREPLY[*]}" = "line lock" ]
says "zsh's file has the commands and options, too" \
    eval 'grep -q "^#compdef sidewinder" "$share/zsh/site-functions/_sidewinder" &&
        grep -q -- "    run) .*--json:" "$share/zsh/site-functions/_sidewinder"'
says "what --help says on several lines is one there" eval \
    '! grep -q "[a-z.;]    *[a-z]" "$share/zsh/site-functions/_sidewinder"'
says "neither names the folder in which it was made" \
    eval '! grep -q "$(dirname "$share")" "$share/zsh/site-functions/_sidewinder" \
        "$share/bash-completion/completions/sidewinder"'
if command -v zsh >/dev/null; then says "zsh reads it" zsh -n "$share/zsh/site-functions/_sidewinder"; fi
finish
