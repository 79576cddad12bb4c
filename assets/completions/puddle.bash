
# ---- The completion; the tables above are generated from those of the program. Needs the package bash-completion. ----

# Adds the words of a list that begin like the present word.
_puddle_choose() { mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# Adds folders, and files with one of the endings.
_puddle_files() {
    local ending
    compopt -o filenames
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur")
    for ending in "$@"; do
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!*.$ending" -- "$cur")
    done
}

# Adds the values of a flag.
_puddle_value() {
    local endings words
    endings=$(_puddle_endings "$1") words=$(_puddle_words "$1")
    if [[ $1 == --set && $cur == *=* ]]; then
        words=$(_puddle_parameter_values "${cur%%=*}") cur=${cur#*=}
    fi
    _puddle_choose "$words"
    # shellcheck disable=SC2086
    [[ -z $endings ]] || _puddle_files $endings
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}

# Adds what may stand in place of a flag: commands, scenes, logs, tables.
_puddle_arguments() {
    local command=$1 first=$2
    [[ -z $first ]] || _puddle_choose "$_puddle_commands help version"
    case $(_puddle_argument "$command") in
    scene)
        _puddle_choose "$_puddle_scenes"
        _puddle_files yaml
        [[ -n $command ]] || _puddle_files puddle log
        ;;
    log) _puddle_files log ;;
    list) _puddle_choose "$_puddle_lists" ;;
    esac
}

_puddle() {
    local cur prev words cword command='' first=yes i
    _get_comp_words_by_ref -n = cur prev words cword || return
    COMPREPLY=()
    for ((i = 1; i < cword; i++)); do
        if [[ ${words[i]} == -* ]]; then
            [[ -z $(_puddle_takes_value "${words[i]}") ]] || ((i++))
        else
            [[ -z $first || " $_puddle_commands " != *" ${words[i]} "* ]] || command=${words[i]}
            first=''
        fi
    done
    if [[ $cur == --*=* && -n $(_puddle_takes_value "${cur%%=*}") ]]; then
        prev=${cur%%=*} cur=${cur#*=}
        _puddle_value "$prev"
    elif [[ -n $(_puddle_takes_value "$prev") ]]; then
        _puddle_value "$prev"
    elif [[ $cur == -* ]]; then
        _puddle_choose "$(_puddle_flags "$command")"
    else
        _puddle_arguments "$command" "$first"
    fi
}
complete -F _puddle puddle
