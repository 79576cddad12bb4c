
# ---- The completion; the functions above are generated from the program's tables. ----

# Files with one of the endings ("csv|vtk"), and folders. _arguments puts options of compadd before the endings.
_puddle_files() {
    _path_files "${(@)argv[1,-2]}" -g "*.(${argv[-1]})(-.)"
    _path_files "${(@)argv[1,-2]}" -/
}

_puddle_scene() {
    _puddle_scenes
    _puddle_files yaml
}

_puddle_first() {
    compadd -- help version $_puddle_commands
    _puddle_scene
    _puddle_files 'puddle|log'
}

# The first word that names a command decides. Flags may stand before it.
_puddle() {
    local i
    for ((i = 2; i < CURRENT; i++)); do
        if ((${_puddle_commands[(Ie)$words[i]]})); then
            local command=$words[i]
            words[i]=()
            ((CURRENT--))
            _puddle_command_$command
            return
        fi
    done
    _puddle_command_
}

_puddle "$@"
