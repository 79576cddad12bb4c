"""Tests the completions in real shells: types a line and Tab on a terminal, and reads what the shell shows.

Usage: test_completions.py PAGES     PAGES: folder with the completions of the build
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

PAGES = os.path.abspath(sys.argv.pop())


class Shell:
    """An interactive shell on a terminal, in which puddle is a function that prints its arguments."""

    def __init__(self, arguments, folder, setup):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
            os.execvpe(arguments[0], arguments, environment)
        self.run(setup + "\nputs() { printf '<%s>' \"$@\"; echo; }; puddle() { puts got \"$@\"; }; puts set up\n", "<set><up>")

    def run(self, keys, pattern):
        """Types keys, and returns what the shell writes until the pattern appears."""
        os.write(self.terminal, keys.encode())
        text = ""
        while not re.search(pattern, text):
            if not select.select([self.terminal], [], [], 60)[0]:
                raise AssertionError(f"the shell never wrote {pattern!r}, only {text!r}")
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def complete(self, line, key):
        """Types a line and the key that inserts all completions. Returns the words that replace the last word."""
        text = self.run(f"{line}{key}\n", "<got>.*\r\n")
        words = re.findall("<([^<>]*)>", text[text.rindex("<got>"):])[len(line.split()) - 1:]
        return set() if words == line.split()[-1:] else {word.rstrip("/") for word in words}

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("mine.yaml", "moment.puddle", "session.log", "rows.csv", "cells.vtk", "notes.txt"):
            open(os.path.join(self.folder, name), "w").close()
        os.mkdir(os.path.join(self.folder, "frames"))

    def check(self, complete):
        for line, expected in {
            "puddle ren": "render", # commands, scenes and files of the window
            "puddle foun": "fountain",
            "puddle mine": "mine.yaml",
            "puddle mom": "moment.puddle",
            "puddle sess": "session.log",
            "puddle run momen": "",
            "puddle run --st": "--stats --state --steps --state-every", # flags of the command
            "puddle check --meth": "",
            "puddle --quiet run --thr": "--threads",
            "puddle run --method f": "flip", # values of flags
            "puddle render drop --view vort": "vorticity vortons",
            "puddle render drop --compare ddr,f": "ddr,flip",
            "puddle run --set ddr.near": "ddr.near_stiffness=",
            "puddle run --set flip.solver=m": "flip.solver=multigrid",
            "puddle run drop --stats ro": "rows.csv", # files by their endings
            "puddle run drop --state ce": "cells.vtk",
            "puddle run drop --stats no": "",
            "puddle run --load mo": "moment.puddle",
            "puddle render drop -o fr": "frames",
            "puddle replay se": "session.log",
            "puddle replay mi": "",
            "puddle list scene": "scenes scene-keys",
        }.items():
            with self.subTest(line):
                self.assertEqual(complete(line), set(expected.split()))

    def shell(self, arguments, setup):
        shell = Shell(arguments, self.folder, setup)
        self.addCleanup(shell.close)
        return shell

    def test_bash(self):
        shell = self.shell(["bash", "--norc", "--noprofile", "-i"], f"""
HISTFILE=
bind 'set enable-bracketed-paste off'
bind '"\\C-x\\C-a": insert-completions'
. /usr/share/bash-completion/bash_completion
. {PAGES}/puddle""")
        self.check(lambda line: shell.complete(line, "\x18\x01"))

    def test_zsh(self):
        shell = self.shell(["zsh", "-f", "-i"], f"""
PS1='' RPS1=''
unsetopt zle_bracketed_paste prompt_cr
fpath=({PAGES} $fpath)
autoload -Uz compinit && compinit -u -D
zle -C all-matches complete-word _generic
bindkey '^X^A' all-matches
zstyle ':completion:all-matches:*' insert true
zstyle ':completion:all-matches::::' completer _all_matches _complete""")
        self.check(lambda line: shell.complete(line, "\x18\x01"))

    def test_fish(self):
        def complete(line):
            script = f"source {PAGES}/puddle.fish; complete -C '{line}'"
            out = subprocess.run(["fish", "--no-config", "-c", script], cwd=self.folder, check=True, capture_output=True,
                                 env={"PATH": os.environ["PATH"], "HOME": self.folder}, text=True).stdout
            return {row.split("\t")[0].rstrip("/") for row in out.splitlines()}

        self.check(complete)


if __name__ == "__main__":
    unittest.main()
