"""Runs the command tcpwhy that the wheel has installed: `python -m tcpwhy`."""

import os
import subprocess
import sys
import sysconfig

PROGRAM = "tcpwhy" + (sysconfig.get_config_var("EXE") or "")


def places():
    """Folders that installers put programs into: of this environment, of this user, beside the package."""
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user"))
    # pip install --target FOLDER
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")


def main():
    """Replaces this process by the program."""
    programs = [os.path.join(place, PROGRAM) for place in places() if place]
    program = next(filter(os.path.isfile, programs), None)
    if program is None:
        sys.exit(f"tcpwhy: the program is missing; searched {', '.join(programs)}")
    arguments = [program, *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(arguments, check=False).returncode)
    os.execv(program, arguments)


if __name__ == "__main__":
    main()
