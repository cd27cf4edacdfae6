"""Debian's packages as tab-separated files, from what apt and dpkg know here.

	python3 bench/packages.py DIRECTORY
"""

import re
import subprocess
import sys
from pathlib import Path

RELATIONS = ("Depends", "Pre-Depends", "Recommends", "Suggests", "Breaks", "Conflicts", "Replaces", "Provides", "Enhances")


def stanzas():
    """The fields of every package that can be had."""
    output = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, encoding="utf-8").stdout
    for stanza in output.split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): (.*)$", stanza, re.MULTILINE))
        if "Package" in fields:
            yield fields


def clean(text):
    return text.replace("\\", "\\\\").replace("\t", " ")


def targets(field):
    """Names of packages in "a (>= 1), b | c:any"."""
    return sorted({re.split(r"[ (:\[]", name.strip())[0] for name in re.split(r"[,|]", field)} - {""})


def files():
    """Paths of the installed packages, with the package."""
    for path in sorted(Path("/var/lib/dpkg/info").glob("*.list")):
        name = path.stem.split(":")[0]
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            yield name, line


def main():
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    seen = set()
    with open(directory / "package", "w", encoding="utf-8") as packages, \
            open(directory / "relation", "w", encoding="utf-8") as relations:
        for fields in stanzas():
            name = fields["Package"]
            if name in seen:
                continue
            seen.add(name)
            row = (name, fields.get("Version", ""), fields.get("Section", ""), fields.get("Maintainer", ""),
                   fields.get("Priority", ""), fields.get("Size", "0"))
            packages.write("\t".join(map(clean, row)) + "\n")
            for kind in RELATIONS:
                for target in targets(fields.get(kind, "")):
                    relations.write("\t".join(map(clean, (name, kind, target))) + "\n")
    with open(directory / "file", "w", encoding="utf-8") as listed:
        for name, path in files():
            listed.write("\t".join(map(clean, (name, path))) + "\n")


if __name__ == "__main__":
    main()
