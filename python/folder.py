"""Prints the folder of modules of this Python below a prefix, from the prefix. Usage: folder.py PREFIX"""
import pathlib
import site
import sys

prefix = pathlib.Path(sys.argv[1])
default = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
folders = (pathlib.Path(folder) for folder in site.getsitepackages())
below = (folder.relative_to(prefix) for folder in folders if prefix in folder.parents)
# Not local/lib below /usr, which is for the prefix /usr/local.
print(next((folder for folder in below if folder.parts[0].startswith("lib")), default))
