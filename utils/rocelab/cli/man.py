# SPDX-License-Identifier: GPL-2.0-only
"""rocelab man: the manual page, made of what --help says."""

from rocelab.cli.commands import list_commands

EXIT_STATUSES = (
    ("0", "All is well."),
    ("1", "It failed, or a run of a sweep did; one line says why."),
    ("2", "Bad input: one line says where and what was expected; nothing is written."),
    ("3", "The results are whole, but flows or requests stalled or failed."),
    ("4", "An invariant of the model is broken; results are written."),
    ("130", "Interrupted. What had ended is written, marked as partial."),
)


def escape(text):
    """Return a text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(
        "\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n")
    )


def format_option(option):
    """Return the entry of an option."""
    value = f" \\fI{escape(option.value)}\\fR" if option.value else ""
    names = ", ".join(f"\\fB{escape(name)}\\fR" for name in option.names)
    choices = f" ({', '.join(option.choices)})" if option.choices else ""
    head = f"{names}{value}" if names else value.strip()
    return [".TP", head, escape(" ".join(option.help.split()) + choices) or "\\&"]


def format_command(command):
    """Return the section of a command."""
    lines = [f".SS {escape(command.name)}", escape(command.help.rstrip(".")) + "."]
    for option in command.options:
        if "--help" not in option.names:
            lines += format_option(option)
    if command.examples:
        lines += [".PP", "Examples:", ".PP", ".nf", escape(command.examples), ".fi"]
    return lines


def make_page(version, build, parser):
    """Return the page in roff."""
    lines = [
        f'.TH ROCELAB 1 "" "rocelab {escape(version)}" "User Commands"',
        ".SH NAME",
        "rocelab \\- what does a NIC design do to a large, lossy RDMA fabric?",
        ".SH SYNOPSIS",
        ".B rocelab",
        "\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]",
        ".SH DESCRIPTION",
        "Runs scenarios, JSON files that describe a fabric, NICs and a workload, on ns\\-3, and makes tables, plots and",
        "reports of the results.  Each command has",
        ".BR \\-\\-help .",
        ".SH COMMANDS",
    ]
    for command in list_commands(build, parser):
        lines += format_command(command)
    lines.append(".SH EXIT STATUS")
    for status, text in EXIT_STATUSES:
        lines += [".TP", f".B {status}", escape(text)]
    lines += [
        ".SH FILES",
        ".TP",
        ".I results/SCENARIO/NIC/",
        "Results of a run: scenario.json, flows.csv, summary.json and others (docs/reference/results.md).",
        ".SH SEE ALSO",
        "README.md and docs/ of the project.",
    ]
    return "\n".join(lines) + "\n"
