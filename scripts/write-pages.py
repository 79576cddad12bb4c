"""Writes the manual pages and the completions of bash, zsh and fish, from the tables that the program prints.

Usage: write-pages.py PROGRAM CODE FOLDER     CODE: folder with what is not generated of the completions
"""
import json
import os
import re
import subprocess
import sys

PROGRAM, CODE, FOLDER = sys.argv[1:]
os.environ.pop("PUDDLE_DATA", None)  # folder of other scenes
VIDEOS = "png mp4 webm mov gif"


def ask(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def ask_json(name):
    return json.loads(ask("list", name, "--json"))


# ---- The tables ----

HELP = ask("--help")
USAGES = re.findall(r"^  puddle (.+?)   *(\S.*)", HELP.split("Usage:")[1].split("\n\n")[0], re.M)
EXAMPLES = re.findall(r"^  puddle (.+)", HELP.split("Examples:")[1], re.M)
LISTS = re.findall(r"^  (\S+) +(.+)", ask("list", "--help").split("one of:")[1].split("\n\n")[0], re.M)
SCENES = [scene["name"] for scene in ask_json("scenes")]
PARAMETERS = ask_json("parameters")
METHODS = [method["name"] for method in ask_json("methods")]


class Flag:
    """An option of a command. letter: "-o", or "". words: values that complete. endings: of the files that complete."""

    def __init__(self, row):
        self.name, self.letter, self.argument = row["option"], row.get("letter", ""), row.get("argument", "")
        self.help, values = row["help"], row["values"]
        self.listed = "" if re.search(r"\d to ", values) else values
        self.words = re.split(", | or ", self.listed) if self.listed else []
        self.endings = VIDEOS.split() if self.argument == "PLACE" else re.findall(r"FILE\.(\w+)", self.argument)
        if self.name == "--method":
            self.words = METHODS
        elif self.name == "--compare":
            self.words = [f"{one},{other}" for one in METHODS for other in METHODS if one != other]
        elif self.name == "--set":
            self.words = [parameter["key"] + "=" for parameter in PARAMETERS]
        elif self.name == "--substeps":
            self.words = ["auto"]
        elif self.name == "--background":
            self.words = ["none", "black", "white"]


class Command:
    """A command. name: "" is the window. argument: what completes besides options: scene, log, list or none."""

    def __init__(self, usage, summary, example, rows):
        self.usage, self.summary, self.example = usage, summary, example
        self.name = usage.split()[0] if usage[0].islower() else ""
        self.page = "puddle-" + self.name if self.name else "puddle"
        self.flags = [Flag(row) for row in rows if row["command"] == (self.name or "window")]
        self.argument = next((kind for word, kind in (("SCENE", "scene"), ("LOG", "log"), ("WHAT", "list")) if word in usage), "none")


FLAGS = ask_json("flags")
COMMANDS = [Command(*usage, example, FLAGS) for usage, example in zip(USAGES, EXAMPLES, strict=True)]
NAMES = [command.name for command in COMMANDS if command.name]
EVERY_FLAG = {flag.name: flag for command in COMMANDS for flag in command.flags}.values()


def parameter_values():
    """Returns the keys with a choice of values, and the values."""
    values = {parameter["key"]: parameter.get("choices", "true|false" if parameter["type"] == "boolean" else "") for parameter in PARAMETERS}
    return {key: " ".join(re.split("[|, ]+", text)) for key, text in values.items() if text}


# ---- Manual pages ----


def roff(text):
    """Returns a text so that roff shows it unchanged. roff would print a plain - as a hyphen, which cannot be copied to a shell."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def tagged(tag, text):
    return f".TP\n.B {roff(tag)}\n{roff(text)}\n"


def paragraphs(*sentences):
    return "".join(roff(sentence) + "\n.PP\n" for sentence in sentences)


def example(*lines):
    return ".EX\n" + "".join(roff("    " + line) + "\n" for line in lines) + ".EE\n"


def listing(name):
    """Returns a table of `puddle list` as paragraphs: the first cell, its meaning, and the other cells by their headings."""
    text, headings = "", []
    for line in ask("list", name, "--markdown").splitlines():
        cells = [re.sub(r"^`(.*)`$", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        cells = [re.sub(r"\\([|*<\\])", r"\1", cell) for cell in cells]
        if line.startswith("## "):
            text += f".SS {roff(line[3:])}\n"
        if cells and headings and not line.startswith("|---"):
            meaning = next((i for i, heading in enumerate(headings) if heading in ("Action", "Meaning")), 1)
            values = "; ".join(f"{headings[i]}: {cell}" for i, cell in enumerate(cells) if i not in (0, meaning) and cell)
            text += tagged(cells[0], ". ".join(part for part in (cells[meaning], values) if part) + ".")
        headings = (headings or cells) if cells else []
    return text


def write_page(name, section, summary, text):
    version = ask("--version").split()[1]
    book = "User Commands" if section == 1 else "File Formats"
    pages = [(command.page, 1) for command in COMMANDS] + [("puddle-scene", 5), ("puddle-log", 5)]
    others = ",\n".join(f".BR {roff(page)} ({number})" for page, number in pages if page != name)
    os.makedirs(f"{FOLDER}/man{section}", exist_ok=True)
    with open(f"{FOLDER}/man{section}/{name}.{section}", "w", encoding="utf-8") as file:
        file.write(f'.\\" Generated from the program\'s tables.\n.TH {name.upper()} {section} "" "puddle {version}" "{book}"\n'
                   f".SH NAME\n{roff(name)} \\- {roff(summary)}\n{text}.SH SEE ALSO\n{others}\n")


def usages(commands):
    return ".SH SYNOPSIS\n" + "".join(f".B puddle\n{roff(command.usage)}\n.br\n" for command in commands)


def options(command):
    return ".SH OPTIONS\n" + "".join(
        tagged((f"{flag.letter}, " if flag.letter else "") + f"{flag.name} {flag.argument}".strip(),
               flag.help + (f": {flag.listed}" if flag.listed else "")) for flag in command.flags)


EXIT_CODES = ".SH EXIT STATUS\n" + "".join(tagged(*row) for row in (
    ("0", "Done."),
    ("1", "The run failed, for example on a full disk or without OpenGL."),
    ("2", "Wrong usage or bad input."),
    ("128+n", "Ended by signal n. Finished files are complete. 141: the reader of a pipe closed it.")))
SCENE = "SCENE is a scene file, or the name of a bundled scene (puddle list scenes)."


def write_program_page():
    text = usages(COMMANDS) + ".SH DESCRIPTION\n" + paragraphs(
        "puddle simulates fluids in two dimensions by six methods, in a window or without one.",
        SCENE + " In the window it may also be a snapshot (.puddle) or a log.")
    text += ".SH COMMANDS\n" + "".join(tagged("puddle " + command.name, command.summary) for command in COMMANDS[1:])
    text += options(COMMANDS[0]) + ".SH KEYS AND MOUSE\n" + listing("keys")
    text += ".SH ENVIRONMENT\n" + "".join(tagged(*row) for row in (
        ("PUDDLE_DATA", "Folder with shaders/ and scenes/, in place of the installed one."),
        ("PUDDLE_SCALE", "Size of the interface, 0.5 to 5, in place of the screen's."),
        ("SDL_VIDEODRIVER", "wayland or x11, in place of the session's own.")))
    text += ".SH FILES\n" + "".join(tagged(*row) for row in (
        ("~/.config/puddle/settings", "Settings of the window ($XDG_CONFIG_HOME)."),
        ("~/.local/state/puddle/last.log", "Log of the last session of the window ($XDG_STATE_HOME)."),
        ("~/.cache/puddle", "Pictures of scenes for the browser ($XDG_CACHE_HOME)."),
        ("~/Documents/puddle", "Default folder of saved files and recordings (user-dirs.dirs).")))
    text += EXIT_CODES + ".SH EXAMPLES\n" + "".join(example("puddle " + command.example) for command in COMMANDS)
    write_page("puddle", 1, "sandbox for fluids in two dimensions", text)


def write_command_page(command):
    descriptions = {"scene": paragraphs(SCENE), "log": paragraphs("LOG is a file that the window wrote, see puddle-log(5)."),
                    "list": "".join(tagged(*row) for row in LISTS)}
    text = usages([command])
    if command.argument in descriptions:
        text += ".SH DESCRIPTION\n" + descriptions[command.argument]
    text += options(command) + EXIT_CODES + ".SH EXAMPLE\n" + example("puddle " + command.example)
    write_page(command.page, 1, command.summary, text)


def write_format_pages():
    write_page("puddle-scene", 5, "scenes of puddle", ".SH DESCRIPTION\n" + paragraphs(
        "A scene is the initial state of a world as a YAML file. Most keys have defaults.",
        "Lengths are in metres, times in seconds, angles in degrees, and y points up.",
        "puddle check FILE reports every mistake of a scene with its line and column.") + ".SH EXAMPLE\n" + example(
            "puddle: 1", "container: {shape: box, width: 2, height: 1}", "regions:",
            "  - {shape: box, center: [-0.6, 0], size: [0.8, 1]}") + ".SH KEYS\n" + listing("scene-keys") +
        ".SH PARAMETERS\n" + paragraphs("The mapping parameters has the keys of each method, without the name of the method: "
                                        "parameters: {ddr: {stiffness: 1.6}}.") + listing("parameters"))
    write_page("puddle-log", 5, "logs of input to puddle", ".SH DESCRIPTION\n" + paragraphs(
        "A log is UTF-8 text with a scene and all input to the scene, one item a line. puddle replay repeats the session bit for bit.",
        "STEP counts the steps since the beginning. The lines are in the order of their steps. Numbers read back to the same float.",
        "A last line without its end is ignored. A damaged log is played up to the damage.") + ".SH LINES\n" + listing("log-lines") +
        ".SH EXAMPLE\n" + example("puddle-log 1", "scene", "puddle: 1", "end", "120 tool drag 0.1 0.2 3 0 0.2", "140 method sph"))


# ---- Completions: tables, and the code of CODE that reads them ----


def write_completion(name, parts):
    with open(f"{FOLDER}/{name}", "w", encoding="utf-8") as file:
        file.write("".join(parts))


def code(name):
    with open(f"{CODE}/{name}", encoding="utf-8") as file:
        return file.read()


def bash():
    """A function for each table prints the words for its first argument, the name of a flag or a command."""
    def function(name, rows):
        cases = "".join(f"    {key}) echo '{value}' ;;\n" for key, value in rows if value)
        return f"\n_puddle_{name}() {{\n    case $1 in\n{cases}    esac\n}}\n"

    def by_flag(value):
        return [(f"{flag.name} | {flag.letter}" if flag.letter else flag.name, value(flag)) for flag in EVERY_FLAG]

    tables = f"_puddle_commands='{' '.join(NAMES)}'\n_puddle_scenes='{' '.join(SCENES)}'\n"
    tables += f"_puddle_lists='{' '.join(name for name, _ in LISTS)}'\n"
    tables += function("flags", [(command.name or "''", " ".join(f"{flag.letter} {flag.name}".strip() for flag in command.flags))
                                 for command in COMMANDS])
    tables += function("words", by_flag(lambda flag: " ".join(flag.words)))
    tables += function("endings", by_flag(lambda flag: " ".join(flag.endings)))
    tables += function("takes_value", by_flag(lambda flag: "yes" if flag.argument else ""))
    tables += function("parameter_values", parameter_values().items())
    tables += function("argument", [(command.name or "''", command.argument) for command in COMMANDS])
    write_completion("puddle", [tables, code("puddle.bash")])


def zsh():
    def quoted(text):
        """Returns a text within single quotes and within the brackets of _arguments."""
        return re.sub(r"([][:\\])", r"\\\1", text).replace("'", "'\\''")

    def option(flag):
        action = " "
        if flag.name == "--set":
            action = "_puddle_setting"
        elif flag.endings:
            action = f'_puddle_files "{"|".join(flag.endings)}"'
        elif flag.words:
            action = f"({' '.join(flag.words)})"
        value = f":{quoted(flag.argument)}:{action}" if flag.argument else ""
        names = [flag.name + ("=" if value else "")] + [flag.letter] * bool(flag.letter)
        return "".join(f"        '{'*' if flag.name == '--set' else ''}{name}[{quoted(flag.help)}]{value}' \\\n" for name in names)

    arguments = {"none": "", "scene": "'*:scene:_puddle_scene'", "log": "'1:log:_puddle_files log'", "list": "'1:table:_puddle_list'"}
    keys = " ".join(parameter["key"] + "=" for parameter in PARAMETERS)
    cases = "".join(f"    {key}) compadd -- {values} ;;\n" for key, values in parameter_values().items())
    tables = f"#compdef puddle\n_puddle_commands=({' '.join(NAMES)})\n_puddle_scenes() {{ compadd -- {' '.join(SCENES)}; }}\n"
    tables += f"_puddle_list() {{ compadd -- {' '.join(name for name, _ in LISTS)}; }}\n"
    tables += "\n_puddle_setting() {\n    local key=${PREFIX%%=*}\n    if ! compset -P '*='; then\n"
    tables += f"        compadd -S '' -- {keys}\n        return\n    fi\n    case $key in\n{cases}    esac\n}}\n"
    for command in COMMANDS:
        argument = arguments[command.argument] if command.name else "'1:scene or command:_puddle_first'"
        tables += f"\n_puddle_command_{command.name}() {{\n    _arguments -S \\\n"
        tables += "".join(map(option, command.flags)) + f"        {argument}\n}}\n"
    write_completion("_puddle", [tables, code("puddle.zsh")])


def fish():
    def quoted(text):
        return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"

    def option(flag):
        text = f" -l {flag.name[2:]}" + (f" -s {flag.letter[1:]}" if flag.letter else "") + f" -d {quoted(flag.help)}"
        text += " -x" if flag.argument else ""
        if flag.endings:
            text += f" -a '(__puddle_files {' '.join(flag.endings)})'"
        elif flag.name == "--set":
            text += " -a '(__puddle_settings)'"
        elif flag.words:
            text += f" -a '{' '.join(flag.words)}'"
        return text

    keys = " ".join(parameter["key"] + "=" for parameter in PARAMETERS)
    tables = f"function __puddle_commands\n    printf '%s\\n' {' '.join(NAMES)}\nend\n\nfunction __puddle_settings\n    printf '%s\\n' {keys}\n"
    tables += "".join(f"    printf '{key}=%s\\n' {values}\n" for key, values in parameter_values().items()) + "end\n\n"
    words = {"scene": [" ".join(SCENES), "(__puddle_files yaml)"], "log": ["(__puddle_files log)"],
             "list": [" ".join(name for name, _ in LISTS)], "none": []}
    for command in COMMANDS:
        ends = list(map(option, command.flags))
        ends += [f" -a '{word}'" for word in words[command.argument]]
        if not command.name:
            ends[-1] = " -a '(__puddle_files yaml puddle log)'"
            ends += [f" -a {other.name} -d {quoted(other.summary)}" for other in COMMANDS[1:]]
        tables += "".join(f"complete -c puddle -n 'test (__puddle_command) = {command.name or 'window'}'{end}\n" for end in ends)
    write_completion("puddle.fish", [code("puddle.fish"), tables])


write_program_page()
for each in COMMANDS[1:]:
    write_command_page(each)
write_format_pages()
bash()
zsh()
fish()
