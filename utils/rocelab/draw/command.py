# SPDX-License-Identifier: GPL-2.0-only
"""rocelab plot: the command."""

from pathlib import Path

from rocelab.errors import UserError, describe_nearest
from rocelab.places import find_build
from rocelab.terminal.parser import make_examples
from rocelab.terminal.process import load_matplotlib
from rocelab.terminal.progress import CountLine

COLUMNS = ("single", "double")
FORMATS = ("pdf", "svg", "png")
ALL = "all"


def add_options(commands):
    """Add the command to a parser's sub-commands."""
    parser = commands.add_parser(
        "plot",
        help="draw figures for papers",
        description="Draw the figures that papers have, from results of runs, sweeps, perftests and figures.",
        epilog=make_examples(
            "plot fct-cdf results/compare/lossy --column single",
            "plot scale results/my-sweep --x servers --y fct_us_p99 --where loss=0",
            "plot slowdown-cdf results/compare/lossy --where nic=srnic,uet --style mine.json",
            "plot all results/compare/lossy --format pdf --no-notes",
        ),
    )
    add = parser.add_argument
    add("kind", metavar="KIND", help=f"kind of picture (docs/study/plots.md), or {ALL} for each kind that the data allow")
    add(
        "folders",
        nargs="+",
        metavar="RESULTS",
        help="results of a scenario, a NIC, a sweep, a perftest or a figure",
    )
    add("--column", choices=COLUMNS, help="width: 3.33 or 7 inches (default: as the data need)")
    add(
        "--format",
        default=",".join(FORMATS),
        metavar="LIST",
        help="kinds of files (default: %(default)s)",
    )
    add("--out", metavar="STEM", help="output files without their ending (default: plots/KIND in the folder)")
    add("--no-notes", action="store_true", help="print the notes of a picture, for its caption, in place of drawing them")
    add("--x", metavar="AXIS", help="axis of a sweep")
    add("--y", action="append", default=[], metavar="COLUMN", help="column of a sweep; repeatable")
    add(
        "--where",
        action="append",
        default=[],
        metavar="AXIS=VALUES",
        help="rows of a sweep to draw, or NICs: nic=irn,srnic; repeatable",
    )
    add("--style", metavar="FILE", help="JSON or TOML with your own colours, labels, order, sizes and ranges")
    add("--bins", metavar="BINS", help="bins of flow size: 12, 1kB,100kB, or 3/decade")
    add(
        "--by",
        choices=("host", "core", "thread"),
        help="meaning of a bar of cpu-use (default: host)",
    )
    add("--workload", metavar="NAME", help="only this one of a list of workloads")
    add("--build", default=find_build(), help="build folder (default: %(default)s)")
    parser.set_defaults(run=run_plot)


def read_formats(text):
    """Return the kinds of files of a list."""
    formats = text.split(",")
    for name in formats:
        if name not in FORMATS:
            hint = describe_nearest(name, FORMATS)
            raise UserError(f"--format: expected {', '.join(FORMATS)} ({hint}), got {name!r}")
    return tuple(dict.fromkeys(formats))


def read_conditions(settings):
    """Return {axis: [text, ...]} of AXIS=VALUES; the same axis given again adds values."""
    conditions = {}
    for setting in settings:
        axis, equals, value = setting.partition("=")
        if not equals:
            raise UserError(f"--where: expected AXIS=VALUE, got {setting!r}")
        conditions.setdefault(axis, []).append(value)
    return conditions


def choose_kinds(name, source):
    """Return the Kinds to draw; raises UserError if the data do not have what they need."""
    from rocelab.draw.kinds import KINDS
    from rocelab.draw.sources import WORDS

    if name == ALL:
        return [kind for kind in KINDS if kind.is_possible(source)]
    kind = next(kind for kind in KINDS if kind.name == name)
    if source.kind not in kind.draws:
        wanted = " or ".join(WORDS[one] for one in kind.draws)
        raise UserError(f"plot {name}: expected {wanted}, got {WORDS[source.kind]}")
    if missing := kind.find_missing(source):
        raise UserError(f"plot {name}: expected {missing[0]}, got none ({missing[1]})")
    return [kind]


def get_stem(options, source, kind):
    """Return where the files of a picture go, without their ending."""
    if options.out is not None:
        return f"{options.out}-{kind.name}" if options.kind == ALL else options.out
    if source.folder is None:
        raise UserError("--out: expected the stem of the files beside several folders, got none")
    return str(Path(source.folder) / "plots" / kind.name)


def make_page(column, has_notes):
    """Return the Page of a picture: of the width of a column, of the user's style, or of its own choice."""
    from rocelab.draw import own_style, style

    width = {"single": style.COLUMN_WIDTH, "double": style.PAGE_WIDTH}.get(column or "")
    return style.Page(width or own_style.get_current().width, has_notes)


def draw(kind, source, options, page):
    """Return the Figure of a Kind, finished by the user's style."""
    from rocelab.draw import own_style, style
    from rocelab.draw.canvas import wrap

    figure = kind.draws[source.kind](source, options, page)
    own = own_style.get_current()
    if own.x or own.y:
        panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
        with style.paper():
            own.finish(panels)
            figure.draw_without_rendering()
            for axes in panels:
                height = axes.get_window_extent().height / figure.dpi
                axes.set_ylabel("\n".join(wrap(axes.get_ylabel(), height, style.FONT)))
    return figure


def draw_kinds(options, source):
    """Return [(stem, Figure, notes)] of the pictures, and why others of `all` are not drawn."""
    kinds = choose_kinds(options.kind, source)
    drawn, refused = [], []
    with CountLine("drawing", len(kinds)) as line:
        for kind in kinds:
            page = make_page(options.column, not options.no_notes)
            stem = get_stem(options, source, kind)
            try:
                drawn.append((stem, draw(kind, source, options, page), page.notes))
            except UserError as error:
                if options.kind != ALL:
                    raise
                refused.append(f"{kind.name}: not drawn: {error}")
            line.add()
    return drawn, refused


def run_plot(options):
    """Carry out the command; returns (exit status, files written)."""
    load_matplotlib()
    formats = read_formats(options.format)
    options.where = read_conditions(options.where)
    if options.kind != ALL:
        check_kind(options.kind)
    from rocelab.draw import own_style, style
    from rocelab.draw.sources import arrange, load_source

    own = own_style.make(options.style, options.bins)
    source = load_source(options.folders, options.workload)
    check_use(options, source)
    with own_style.use(own):
        drawn, refused = draw_kinds(options, arrange(source, options.where))
    if not drawn:
        raise UserError(refused[0] if refused else f"{options.folders[0]}: nothing can be drawn")
    print("\n".join(refused), end="\n" if refused else "")
    written, lines = [], []
    with CountLine("writing", len(drawn)) as line:
        for stem, figure, notes in drawn:
            written += style.save(figure, stem, formats)
            lines += [f"{Path(stem).name}: {note}" for note in notes if options.no_notes]
            line.add()
    print("\n".join(lines), end="\n" if lines else "")
    return 0, written


def check_use(options, source):
    """Raise UserError for an option that has no effect on what is drawn."""
    from rocelab.draw.sources import SCENARIO, SWEEP

    is_of_nics = source.kind == SCENARIO and set(options.where) <= {"nic"}
    given = next((name for name in ("x", "y", "where") if getattr(options, name)), None)
    if is_of_nics and given == "where":
        given = None
    if given and source.kind != SWEEP:
        raise UserError(f"--{given}: expected results of a sweep, got those of a {source.kind}")
    if options.bins and not options.kind.endswith("-by-size") and options.kind != ALL:
        raise UserError(f"--bins: expected a picture by size, got {options.kind}")
    if options.by and options.kind not in ("cpu-use", ALL):
        raise UserError(f"--by: expected the picture cpu-use, got {options.kind}")


def check_kind(name):
    """Raise UserError unless there is a kind of that name, before any folder is read."""
    from rocelab.draw.kinds import KINDS

    names = [kind.name for kind in KINDS]
    if name not in names:
        hint = describe_nearest(name, [*names, ALL])
        raise UserError(f"plot: expected a kind of picture ({hint}), got {name!r}")
