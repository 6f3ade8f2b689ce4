# SPDX-License-Identifier: GPL-2.0-only
"""rocelab completion: what completes commands, options, presets and keys in bash and zsh."""

from rocelab.cli.commands import list_commands
from rocelab.cli.init import FABRICS, WORKLOADS
from rocelab.cli.new import KINDS as PLUGIN_KINDS
from rocelab.runs.engine import list_presets, read_output, run_json_command
from rocelab.validate.examples import list_figures

SHELLS = ("bash", "zsh")
NIC_OPTIONS = ("--nic", "--peer-nic", "--nics")


def list_names(build, topic):
    """Return the first words of the lines of a topic."""
    return [line.split()[0] for line in read_output(build, ["list", topic]).splitlines()]


def list_keys(build):
    """Return the paths of keys, as --set takes them: those of the file and of objects in it, of each kind."""
    sections = run_json_command(build, ["list", "keys", "--json"])
    parts = [("fabric", "fabric"), ("run", "run"), ("series", "series")]
    parts += [("fabric", name) for name in list_names(build, "topologies")]
    parts += [("workload", name) for name in list_names(build, "workloads")]
    paths = {key["name"] for key in sections["scenario"]["keys"]} - {"$schema"}
    paths |= {"fabric.topology", "workload.type"}
    paths |= {f"{part}.{key['name']}" for part, name in parts for key in sections[name]["keys"]}
    return sorted(paths)


def list_measurements(build):
    """Return {name: keys} of the measurements, keys as "bytes="."""
    found = run_json_command(build, ["list", "measurements", "--json"])
    return {name: [key["name"] + "=" for key in one["keys"]] for name, one in found.items()}


def find_values(command, option, words):
    """Return the words that an option's value can be, or None for what is not known."""
    names = set(option.names)
    if option.choices:
        return list(option.choices)
    if names & set(NIC_OPTIONS):
        return words["presets"]
    if "--set" in names:
        return [f"{key}=" for key in words["keys"]] if command.name in ("run", "check", "compare") else None
    key = option.names[0] if option.names else option.value
    return words.get((command.name, key))


def make_words(build):
    """Return the lists that options choose from: presets, scenario keys, kinds of pictures, ..."""
    from rocelab.draw.kinds import KINDS

    measurements = list_measurements(build)
    return {
        "presets": list_presets(build),
        "measurements": measurements,
        ("measure", "NAME"): list(measurements),
        "keys": list_keys(build),
        ("plot", "KIND"): [kind.name for kind in KINDS] + ["all"],
        ("figure", "FOLDER"): list_figures(),
        ("init", "--topology"): list(FABRICS),
        ("init", "--workload"): list(WORKLOADS),
        ("new", "KIND"): list(PLUGIN_KINDS),
        ("completion", "SHELL"): list(SHELLS),
    }


def list_cases(commands, words):
    """Return [(command, option, words)] of the options and first arguments whose values are known."""
    cases = []
    for command in commands:
        for option in command.options:
            values = find_values(command, option, words)
            if values:
                cases += [(command.name, name, values) for name in option.names or ("",)]
    return cases


BASH = """\
# Completion of rocelab for bash; made by `rocelab completion bash`.
_rocelab()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} first=
    # bash takes = for a word of its own.
    if [ "$current" = = ]; then current=; before==; fi
    if [ "$before" = = ] && [ "$COMP_CWORD" -gt 1 ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '@COMMANDS@' -- "$current"))
        return
    fi
    [ "$COMP_CWORD" -eq 2 ] && first=first
    case "${COMP_WORDS[1]} $before" in
@VALUES@
    esac
    case "${COMP_WORDS[1]} $first" in
@FIRST@
    esac
    if [ "$COMP_CWORD" -gt 2 ] && [ "${COMP_WORDS[COMP_CWORD-1]}" != = ]; then
        case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
@MEASURED@
        esac
    fi
    case "$current" in
        -*) case "${COMP_WORDS[1]}" in
@OPTIONS@
            esac ;;
        *) [ ${#COMPREPLY[@]} -eq 0 ] && compopt -o default 2>/dev/null ;;
    esac
    return 0
}
complete -F _rocelab rocelab
"""

ZSH = """\
#compdef rocelab
# Completion of rocelab for zsh; made by `rocelab completion zsh`.
_rocelab()
{
    local -a found
    if (( CURRENT == 2 )); then
        found=(@COMMANDS@)
        _describe command found
        return
    fi
    case "${words[2]} ${words[CURRENT-1]}" in
@VALUES@
    esac
    if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then
        case ${words[2]} in
@FIRST@
        esac
    fi
    if (( CURRENT > 3 )) && [[ $PREFIX != -* && $PREFIX != *=* ]]; then
        case "${words[2]} ${words[3]}" in
@MEASURED@
        esac
    fi
    if [[ $PREFIX == -* ]]; then
        case ${words[2]} in
@OPTIONS@
        esac
        _describe option found
        return
    fi
    _files
}
compdef _rocelab rocelab
"""


def fill(template, **parts):
    """Return a template with lists of lines, or texts, in place of @NAME@."""
    for name, part in parts.items():
        text = part if isinstance(part, str) else "\n".join(part)
        template = template.replace(f"@{name.upper()}@", text)
    return template


def offer(words):
    """Return what lets bash offer words."""
    return f"COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$current\"))"


def write_bash(commands, words):
    """Return the script for bash."""
    values, first = [], []
    for command, name, known in list_cases(commands, words):
        space = "; compopt -o nospace" if known[0].endswith("=") else ""
        if name:
            values.append(f"        '{command} {name}') {offer(known)}{space}; return ;;")
        else:
            first.append(f"        '{command} first') {offer(known)} ;;")
    options = [
        f"            {command.name}) {offer(name for o in command.options for name in o.names)} ;;"
        for command in commands
    ]
    measured = [
        f"            'measure {name}') {offer(keys)}; compopt -o nospace ;;"
        for name, keys in words["measurements"].items()
    ]
    names = " ".join(command.name for command in commands)
    return fill(BASH, commands=names, values=values, first=first, measured=measured, options=options)


def quote_zsh(text):
    """Return a text within single quotes, for zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def describe_zsh(name, help_text):
    """Return "name:help" as _describe takes it."""
    return quote_zsh(name.replace(":", "\\:") + ":" + " ".join(help_text.split()))


def write_zsh(commands, words):
    """Return the script for zsh, in which options have their descriptions."""
    values, first = [], []
    for command, name, known in list_cases(commands, words):
        texts = " ".join(map(quote_zsh, known))
        suffix = "-S '' " if known[0].endswith("=") else ""
        added = f"found=({texts}); compadd {suffix}-a found; return ;;"
        if name:
            values.append(f"        '{command} {name}') {added}")
        else:
            first.append(f"            {command}) {added}")
    options = []
    for command in commands:
        texts = [describe_zsh(name, option.help) for option in command.options for name in option.names]
        options.append(f"            {command.name}) found=({' '.join(texts)}) ;;")
    measured = [
        f"            'measure {name}') found=({' '.join(keys)}); compadd -S '' -a found; return ;;"
        for name, keys in words["measurements"].items()
    ]
    names = " ".join(describe_zsh(command.name, command.help) for command in commands)
    return fill(ZSH, commands=names, values=values, first=first, measured=measured, options=options)


def make_completion(shell, build, parser):
    """Return the script of a shell."""
    commands = list_commands(build, parser)
    words = make_words(build)
    return {"bash": write_bash, "zsh": write_zsh}[shell](commands, words)
