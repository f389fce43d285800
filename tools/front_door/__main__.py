# SPDX-License-Identifier: GPL-2.0-only
"""The commands of ./run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import build
import checks
import environment
import machine
from console import Stop

NS3_CHOICES = ("wheel", "system")


def become(command: list[str | Path], variables: dict[str, str] | None = None) -> int:
    """Go on as another program."""
    sys.stdout.flush()
    words = [str(word) for word in command]
    os.execve(words[0], words, variables if variables is not None else dict(os.environ))


def take_ns3(words: list[str]) -> tuple[str, list[str]]:
    """Take the option --ns3 out of the arguments, wherever it stands before a "--".

    :return: the choice and the other arguments
    """
    choice = NS3_CHOICES[0]
    rest: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            rest += [word, *left]
            break
        if word == "--ns3":
            if not left:
                raise Stop(f"--ns3 needs a value: {' or '.join(NS3_CHOICES)}")
            choice = left.pop(0)
        elif word.startswith("--ns3="):
            choice = word.removeprefix("--ns3=")
        else:
            rest.append(word)
    if choice not in NS3_CHOICES:
        raise Stop(f"--ns3: '{choice}' is not one of {', '.join(NS3_CHOICES)}")
    return choice, rest


def refuse_flags(command: str, words: list[str]) -> None:
    """Refuse options where a command takes names only."""
    for word in words:
        if word.startswith("-"):
            raise Stop(f"{command}: unknown option '{word}'; see ./run --help")


def command_test(ns3: str, words: list[str]) -> int:
    """./run test"""
    refuse_flags("test", words)
    return checks.run(words, ns3)


def command_replay(_: str, words: list[str]) -> int:
    """./run replay"""
    machine.require(machine.REPLAY_NEEDS)
    algorithms = build.algorithms()
    algorithms.make("linux-tcp-replay")
    return become([algorithms.program("linux-tcp-replay"), *words])


def command_bench(ns3: str, words: list[str]) -> int:
    """./run bench"""
    machine.require(machine.BENCHMARK_NEEDS)
    if words and words[0] == "fq":
        module = build.prepare_module(ns3)
        module.make("linux-tcp-fq-bench")
        return become([module.program("linux-tcp-fq-bench"), *words[1:]])
    algorithms = build.algorithms()
    algorithms.make("linux-tcp-algorithm-benchmark")
    return become([algorithms.program("linux-tcp-algorithm-benchmark"), *words])


def examples() -> list[str]:
    """Names of the example programs."""
    return sorted(file.stem for file in (build.ROOT / "examples").glob("*.cc"))


def example_target(name: str) -> str:
    """The name of an example program in the build."""
    return f"linux-tcp-{name}"


def command_example(ns3: str, words: list[str]) -> int:
    """./run example"""
    if not words or words[0] in ("-h", "--help"):
        print("\n".join(examples()))
        return 0
    name = words[0].removesuffix(".cc")
    if name not in examples():
        raise Stop(f"example: unknown name '{name}'; allowed are {', '.join(examples())}")
    module = build.prepare_module(ns3)
    target = example_target(name)
    module.make(target)
    return become([module.program(f"examples/{target}"), *words[1:]])


def command_line(ns3: str, words: list[str]) -> int:
    """The commands that the Python package itself offers."""
    module = build.prepare_module(ns3)
    module.make("_linux_tcp")
    variables = build.python_environment(module)
    return become([environment.PYTHON, "-B", "-m", "linux_tcp", *words], variables)


COMMANDS: dict[str, Callable[[str, list[str]], int]] = {
    "bench": command_bench,
    "example": command_example,
    "replay": command_replay,
    "test": command_test,
}
PYTHON_COMMANDS = ("experiment", "list", "reproduce", "run", "version")


def main() -> int:
    """Run the command line.

    :return: exit status
    """
    try:
        ns3, words = take_ns3(sys.argv[1:])
        if not words or words[0] in ("-h", "--help", "help"):
            print((Path(__file__).parent / "help.txt").read_text(encoding="ascii"), end="")
            return 0
        name, *arguments = words
        if name in COMMANDS:
            return COMMANDS[name](ns3, arguments)
        if name in PYTHON_COMMANDS:
            return command_line(ns3, words)
        kind = "option" if name.startswith("-") else "command"
        allowed = ", ".join(sorted([*COMMANDS, *PYTHON_COMMANDS]))
        raise Stop(f"unknown {kind} '{name}'; commands are {allowed}; see ./run --help")
    except Stop as stop:
        print(f"run: {stop}", file=sys.stderr)
        return stop.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
