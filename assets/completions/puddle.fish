# Completion of puddle's command line for fish. What follows these functions is generated from the program's tables.

# The command on the line, or window.
function __puddle_command
    for word in (commandline -opc)[2..]
        if contains -- $word (__puddle_commands)
            echo $word
            return
        end
    end
    echo window
end

# Files with one of the endings, and folders.
function __puddle_files
    set -l token (commandline -ct | string replace -r '^--[a-z-]*=' '')
    for file in $token*/
        echo $file
    end
    for ending in $argv
        for file in $token*.$ending
            echo $file
        end
    end
end

complete -c puddle -f

