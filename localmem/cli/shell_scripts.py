"""The scripts a shell loads to complete localmem's words; the words themselves come from localmem.

Each sends the line up to the cursor and reads lines of `kind TAB value TAB help`. Refuses to let
anything but those lines through: what goes wrong is silence, never a message in the middle of
what somebody types. click's own scripts break `contact:ana` at the colon in bash, and show no
help there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BASH = r"""_localmem_completion() {
    local line="${COMP_LINE:0:COMP_POINT}" word cut="" kind value help width=0 row
    local IFS=$'\t'
    local -a values=() helps=()
    COMPREPLY=()
    # Readline replaces only what stands behind the last break: a colon, an equals sign.
    word="${line##*[[:space:]]}"
    [[ $word == -*=* ]] && word="${word#*=}"
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        cut="${word%"${word##*:}"}"
    fi
    while read -r kind value help; do
        case $kind in
            plain)
                values+=("${value#"$cut"}")
                helps+=("$help")
                (( ${#value} > width )) && width=${#value} ;;
            file) compopt -o default 2>/dev/null ;;
            dir) compopt -o dirnames 2>/dev/null ;;
        esac
    done < <(COMP_LINE="$line" _LOCALMEM_COMPLETE=bash_complete "$1" 2>/dev/null)
    # One is put in; of several, what they share is put in and the help is shown beside them.
    if (( ${#values[@]} == 1 )) || [[ $COMP_TYPE == 37 || $COMP_TYPE == 42 ]]; then
        COMPREPLY=("${values[@]}")
    else
        local n
        for (( n = 0; n < ${#values[@]}; n++ )); do
            if [[ -n ${helps[n]} ]]; then
                printf -v row '%-*s  (%s)' "$width" "${values[n]}" "${helps[n]}"
            else
                row="${values[n]}"
            fi
            COMPREPLY+=("$row")
        done
    fi
    if (( ${#values[@]} == 1 )) && [[ ${values[0]} == *: ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o nosort -F _localmem_completion localmem 2>/dev/null \
    || complete -F _localmem_completion localmem
"""

ZSH = r"""#compdef localmem

_localmem_completion() {
    local -a values shown rows
    local row kind value help files=
    rows=("${(@f)$(COMP_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" \
        _LOCALMEM_COMPLETE=zsh_complete $words[1] 2>/dev/null)}")
    for row in $rows; do
        kind="${row%%$'\t'*}"; row="${row#*$'\t'}"
        value="${row%%$'\t'*}"; help="${row#*$'\t'}"
        case $kind in
            plain)
                values+=("$value")
                if [[ -n $help ]]; then shown+=("$value  -- $help"); else shown+=("$value"); fi ;;
            file) files=-f ;;
            dir) files=-/ ;;
        esac
    done
    if (( $#values )); then
        local -a open=()
        [[ $#values == 1 && $values[1] == *: ]] && open=(-S '')
        # -S of the options' own word: `--scope=` stays in front of its value.
        if [[ $PREFIX == -*=* ]]; then compset -P '*='; fi
        compadd -l -V localmem $open -d shown -a values
    fi
    [[ -n $files ]] && _path_files $files
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _localmem_completion "$@"
else
    compdef _localmem_completion localmem
fi
"""

FISH = r"""function _localmem_completion
    set -l line (commandline -cp)
    set -l program (commandline -opc)[1]
    set -l rows (COMP_LINE="$line" _LOCALMEM_COMPLETE=fish_complete command $program 2>/dev/null)
    for row in $rows
        set -l parts (string split -m 2 \t -- $row)
        switch $parts[1]
            case plain
                set -l before (string match -r -- '^--[a-z-]+=' (commandline -ct))
                printf '%s%s\t%s\n' "$before" $parts[2] "$parts[3]"
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
        end
    end
end

complete --no-files --keep-order --command localmem --arguments '(_localmem_completion)'
"""

SCRIPTS: Mapping[str, str] = MappingProxyType({"bash": BASH, "zsh": ZSH, "fish": FISH})
