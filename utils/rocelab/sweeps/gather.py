# SPDX-License-Identifier: GPL-2.0-only
"""The table of a sweep, made from its runs' folders, as CSV and as SQLite."""

import sqlite3
from dataclasses import dataclass

from rocelab.errors import UserError
from rocelab.files import write_text, write_whole
from rocelab.results.confidence import get_interval
from rocelab.results import csv_text
from rocelab.results.columns import flatten
from rocelab.results.json_files import SUMMARY, read_checked
from rocelab.sweeps.store import DONE, FAILED, FORMAT, STALLED

MISSING = "missing"  # Not run yet.
APPLICATION = 0x526F6365  # "Roce": PRAGMA application_id of our files.
TIMINGS = ("wall_seconds", "packet_hops_per_second", "peak_rss_bytes")


@dataclass(frozen=True)
class Table:
    """Columns and rows, of which values are texts, numbers or None."""

    columns: list
    rows: list

    def format_csv(self):
        """Return the table as CSV, numbers with 9 significant digits."""
        return csv_text.format_table([self.columns, *self.rows])


@dataclass(frozen=True)
class Result:
    """A planned run, what became of it, and the numbers that it gave."""

    run: object
    record: object  # None: not run yet.
    summary: dict  # Empty without results.

    @property
    def status(self):
        return self.record.status if self.record else MISSING


def load_results(runs, store, should_stop=lambda: False):
    """Return the Result of each run; None if `should_stop`, called before each, returns True."""
    results = []
    for run in runs:
        if should_stop():
            return None
        record = store.read_record(run)
        has_results = record and record.status in (DONE, STALLED)
        path = store.get_folder(run) / "summary.json"
        results.append(Result(run, record, read_checked(path, SUMMARY) if has_results else {}))
    return results


def get_metrics(results):
    """Return the columns of numbers, in the order in which runs have them."""
    return list(dict.fromkeys(name for result in results for name in flatten(result.summary)))


def make_run_table(results, metrics, axes):
    """Return the Table of one row per run."""
    columns = ["run", *axes, "nic", "seed", "ranks", "status", "error", *metrics]
    rows = []
    for result in results:
        run = result.run
        point = run.point.columns
        numbers = flatten(result.summary)
        rows.append(
            [run.name, *(point[axis] for axis in axes), run.nic, run.seed, run.ranks]
            + [result.status, result.record.error if result.record else ""]
            + [numbers.get(metric) for metric in metrics]
        )
    return Table(columns, rows)


def make_summary_table(results, metrics, axes):
    """Return the Table of one row per point and NIC: means over seeds, with half widths."""
    columns = [*axes, "nic", "runs", "results", "stalled", "failed"]
    columns += [f"{metric}_{what}" for metric in metrics for what in ("mean", "ci95")]
    groups = {}
    for result in results:
        groups.setdefault((result.run.point.name, result.run.nic), []).append(result)
    rows = []
    for group in groups.values():
        run = group[0].run
        counts = {status: sum(r.status == status for r in group) for status in (STALLED, FAILED)}
        row = [*(run.point.columns[axis] for axis in axes), run.nic, len(group)]
        row += [sum(bool(r.summary) for r in group), counts[STALLED], counts[FAILED]]
        numbers = [flatten(r.summary) for r in group]
        for metric in metrics:
            values = [each[metric] for each in numbers if each.get(metric) is not None]
            row += get_interval(values)
        rows.append(row)
    return Table(columns, rows)


def make_timing_table(results):
    """Return the Table of what an execution took, which no other will repeat."""
    rows = [
        [result.run.name, *(result.summary.get(key) for key in TIMINGS)]
        for result in results
        if result.summary
    ]
    return Table(["run", *TIMINGS], rows)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def fit_integer(value):
    """Return a value as SQLite can hold it: integers beyond 64 bits with sign as text."""
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


def write_sqlite(path, tables):
    """Write {name: Table} as an SQLite file, whole or not at all."""

    def write(temporary):
        connection = sqlite3.connect(temporary)
        try:
            # The file is renamed when it is whole, so that it needs no journal.
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            for name, table in tables.items():
                columns = ", ".join(quote(column) for column in table.columns)
                connection.execute(f"CREATE TABLE {quote(name)} ({columns})")
                places = ", ".join("?" * len(table.columns))
                rows = ([fit_integer(value) for value in row] for row in table.rows)
                connection.executemany(f"INSERT INTO {quote(name)} VALUES ({places})", rows)
            connection.commit()
        except sqlite3.Error as error:
            raise UserError(f"{path}: expected to write an SQLite file, got: {error}") from None
        finally:
            connection.close()

    return write_whole(path, write)


def write_tables(sweep, results, store):
    """Write all three files; returns (their paths, the summary's Table)."""
    metrics = get_metrics(results)
    axes = [axis.name for axis in sweep.axes]
    table = make_run_table(results, metrics, axes)
    summary = make_summary_table(results, metrics, axes)
    tables = {"runs": table, "summary": summary, "timing": make_timing_table(results)}
    written = [
        write_text(store.folder / "sweep.csv", table.format_csv()),
        write_text(store.folder / "sweep-summary.csv", summary.format_csv()),
        write_sqlite(store.folder / "sweep.sqlite", tables),
    ]
    return written, summary

