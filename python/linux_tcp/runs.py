# SPDX-License-Identifier: GPL-2.0-only
"""Many runs: in parallel, kept on disk as each finishes, in an order that depends on nothing.

A series of runs can be stopped at any time; what is finished is in the store and the next call
computes only the rest. Results come back in the order of the scenarios, whatever the number of
jobs, and are equal to the byte.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import Interrupted, OptionError, RunError

#: The function that performs a scenario of :mod:`linux_tcp.scenario`.
SIMULATE = "linux_tcp.engine:execute"

#: Where finished runs are kept, relative to the current folder.
DEFAULT_STORE = Path("results") / "cache"


def default_jobs() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def canonical(data: Any) -> str:
    """Write plain data as JSON in the one form that equal data share."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Store:
    """Finished runs on disk, one file each, named by the hash of all that decides the result.

    :param folder: where the files are; made when first needed
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    @staticmethod
    def key(work: str, scenario: Mapping, versions: Mapping) -> str:
        """Return the name of a run: a hash of the scenario, who performs it, and the versions."""
        what = canonical({"work": work, "scenario": scenario, "versions": versions})
        return hashlib.sha256(what.encode()).hexdigest()[:40]

    def path(self, key: str) -> Path:
        """Return the file of a run."""
        return self.folder / key[:2] / f"{key}.npz"

    def load(self, key: str) -> bytes | None:
        """Return a finished run, or None if there is none."""
        try:
            return self.path(key).read_bytes()
        except FileNotFoundError:
            return None

    def save(self, key: str, payload: bytes) -> None:
        """Keep a finished run: the file is there in full or not at all."""
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(payload)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


@dataclass
class Progress:
    """What an observer is told after each finished run."""

    total: int  #: runs asked for
    cached: int = 0  #: runs found in the store
    done: int = 0  #: runs finished now, without the cached ones
    failed: int = 0  #: runs that failed
    label: str = ""  #: the run that finished last


@dataclass
class _Worker:
    """A worker process and what it is doing."""

    process: subprocess.Popen
    log: Any
    index: int | None = None
    log_start: int = 0


@dataclass
class _Failure:
    """A run that failed."""

    index: int
    message: str


@dataclass
class Outcome:
    """All runs of a series, in the order of its scenarios."""

    payloads: list[bytes] = field(default_factory=list)  #: packed results
    cached: int = 0  #: how many were in the store already
    seconds: float = 0.0  #: wall-clock time of the series


class LocalPool:
    """Worker processes on this machine.

    A run that ends its process fails alone: its worker is replaced and the others go on.

    :param jobs: number of processes
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def _start(self) -> _Worker:
        log = tempfile.TemporaryFile()
        environment = dict(os.environ)
        paths = [entry or os.getcwd() for entry in sys.path]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        # A session of its own: Ctrl-C reaches only the parent, which decides what to keep.
        process = subprocess.Popen(
            [sys.executable, "-m", "linux_tcp.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            start_new_session=True,
        )
        return _Worker(process, log)

    @staticmethod
    def _stop(worker: _Worker, *, kill: bool) -> None:
        if kill:
            worker.process.kill()
        for pipe in (worker.process.stdin, worker.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass  # the process is gone and a request could not be flushed
        worker.process.wait()
        worker.log.close()

    @staticmethod
    def _give(worker: _Worker, index: int, work: str, scenario: Mapping) -> None:
        worker.index = index
        worker.log_start = worker.log.seek(0, os.SEEK_END)
        request = json.dumps({"work": work, "scenario": scenario}) + "\n"
        try:
            worker.process.stdin.write(request.encode())
            worker.process.stdin.flush()
        except BrokenPipeError:
            pass  # its end shows when the answer is read

    @staticmethod
    def _last_words(worker: _Worker) -> str:
        worker.log.seek(worker.log_start)
        lines = worker.log.read().decode(errors="replace").strip().splitlines()
        return " | ".join(line.strip() for line in lines[-3:])

    def _take(self, worker: _Worker) -> bytes | _Failure:
        """Read an answer; a worker that is gone gives a failure and has ``index`` unset."""
        stream = worker.process.stdout
        line = stream.readline()
        if not line.endswith(b"\n"):
            code = worker.process.wait()
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            words = self._last_words(worker)
            index, worker.index = worker.index, None
            text = f"the simulation ended its process ({how}){': ' + words if words else ''}"
            return _Failure(index, text)
        header = json.loads(line)
        if header["ok"]:
            return stream.read(header["size"])
        return _Failure(worker.index, header["error"])

    def run(
        self, work: str, tasks: Sequence[tuple[int, Mapping]]
    ) -> Iterable[tuple[int, bytes | _Failure]]:
        """Perform tasks and give each result as it comes."""
        waiting = iter(tasks)
        workers: list[_Worker] = []
        with selectors.DefaultSelector() as selector:

            def feed(worker: _Worker) -> bool:
                task = next(waiting, None)
                if task is None:
                    return False
                self._give(worker, task[0], work, task[1])
                selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
                return True

            try:
                for _ in range(min(self.jobs, len(tasks))):
                    workers.append(self._start())
                    feed(workers[-1])
                while selector.get_map():
                    for ready, _ in selector.select():
                        worker: _Worker = ready.data
                        selector.unregister(worker.process.stdout)
                        index = worker.index
                        answer = self._take(worker)
                        if worker.index is None:
                            self._stop(worker, kill=False)
                            workers.remove(worker)
                            worker = self._start()
                            workers.append(worker)
                        feed(worker)
                        yield index, answer
            except BaseException:
                for worker in workers:
                    self._stop(worker, kill=True)
                workers.clear()
                raise
            finally:
                for worker in workers:
                    self._stop(worker, kill=False)


class DaskPool:
    """Runs on a Dask cluster, whose workers have this package installed.

    :param address: address of the scheduler, such as ``tcp://host:8786``
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise OptionError(
                "--dask", address, "it needs the package distributed: pip install 'dask[distributed]'"
            ) from None
        try:
            self._client = distributed.Client(address, timeout="10s")
        except (OSError, TimeoutError, ValueError):
            raise OptionError(
                "--dask", address, "no Dask scheduler answers there (form: tcp://HOST:PORT)"
            ) from None
        self._as_completed = distributed.as_completed

    def run(
        self, work: str, tasks: Sequence[tuple[int, Mapping]]
    ) -> Iterable[tuple[int, bytes | _Failure]]:
        """Perform tasks and give each result as it comes."""
        from .worker import perform

        futures = {}
        try:
            for index, scenario in tasks:
                future = self._client.submit(perform, work, dict(scenario), pure=False)
                futures[future] = index
            for future in self._as_completed(list(futures)):
                index = futures[future]
                error = future.exception()
                if error is None:
                    yield index, future.result()
                else:
                    yield index, _Failure(index, str(error) or type(error).__name__)
        finally:
            for future in futures:
                future.cancel()
            self._client.close()


def run_packed(
    scenarios: Sequence[Mapping],
    *,
    work: str = SIMULATE,
    versions: Mapping | None = None,
    jobs: int | None = None,
    store: Store | None = None,
    fresh: bool = False,
    dask: str | None = None,
    labels: Sequence[str] | None = None,
    observe: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Perform scenarios given as plain data.

    :param scenarios: the scenarios
    :param work: who performs them, as ``module:function``
    :param versions: versions that decide the result; those of the simulator if None
    :param jobs: number of processes; the number of cores if None
    :param store: where finished runs are kept and looked for
    :param fresh: compute every run, even those that are in the store
    :param dask: address of a Dask scheduler to use instead of processes here
    :param labels: names of the runs, for the observer
    :param observe: called after the look into the store and after each run
    :return: packed results in the order of the scenarios
    :raises RunError: if a run failed; the others are finished and kept first
    :raises Interrupted: on Ctrl-C; the finished ones are kept
    """
    if jobs is not None and jobs < 1:
        raise OptionError("--jobs", jobs, "give a number of processes, at least 1")
    if versions is None:
        from .engine import versions as simulator_versions

        versions = simulator_versions()
    start = time.monotonic()
    keys = [Store.key(work, scenario, versions) for scenario in scenarios]
    payloads: dict[str, bytes] = {}
    if store is not None and not fresh:
        for key in dict.fromkeys(keys):
            payload = store.load(key)
            if payload is not None:
                payloads[key] = payload
    progress = Progress(total=len(keys), cached=sum(key in payloads for key in keys))
    outcome = Outcome(cached=progress.cached)
    if observe is not None:
        observe(progress)
    # Equal scenarios are performed once.
    first = {}
    for index, key in enumerate(keys):
        if key not in payloads:
            first.setdefault(key, index)
    tasks = [(index, scenarios[index]) for index in first.values()]
    failures: list[_Failure] = []
    if tasks:
        pool = DaskPool(dask) if dask else LocalPool(jobs or default_jobs())
        try:
            for index, answer in pool.run(work, tasks):
                key = keys[index]
                same = keys.count(key)
                if isinstance(answer, _Failure):
                    failures.append(answer)
                    progress.failed += same
                else:
                    payloads[key] = answer
                    if store is not None:
                        store.save(key, answer)
                    progress.done += same
                progress.label = labels[index] if labels else ""
                if observe is not None:
                    observe(progress)
        except KeyboardInterrupt:
            raise Interrupted(
                progress.cached + progress.done,
                progress.total,
                str(store.folder) if store is not None else None,
            ) from None
    if failures:
        worst = min(failures, key=lambda failure: failure.index)
        name = f" ({labels[worst.index]})" if labels else ""
        count = f"{len(failures)} of {len(keys)} runs failed; " if len(keys) > 1 else ""
        raise RunError(
            f"{count}run {worst.index + 1}{name}: {worst.message}; "
            f"its scenario: {canonical(scenarios[worst.index])}",
            dict(scenarios[worst.index]),
        )
    outcome.payloads = [payloads[key] for key in keys]
    outcome.seconds = time.monotonic() - start
    return outcome


class RichObserver:
    """Shows the progress of a series: a bar on a terminal, a line now and then elsewhere.

    Use it as a context manager and give it to :func:`run_packed`.

    :param title: what is being computed
    :param console: where to write; standard error if None
    """

    def __init__(self, title: str, console: Any = None) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bar

        self.console = console or Console(stderr=True)
        self._title = title
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("runs"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[label]}"),
            console=self.console,
            transient=True,
        )
        self._task: Any = None
        self._shown = 0
        self._start = 0.0

    def __enter__(self) -> RichObserver:
        self._start = time.monotonic()
        if self.console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.console.is_terminal:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show where the series is."""
        finished = progress.cached + progress.done + progress.failed
        if self.console.is_terminal:
            if self._task is None:
                self._task = self._bar.add_task(self._title, total=progress.total, label="")
            self._bar.update(self._task, completed=finished, label=progress.label)
        elif finished == progress.total or finished - self._shown >= max(1, progress.total // 10):
            self._shown = finished
            seconds = time.monotonic() - self._start
            self.console.print(
                f"{self._title}: {finished} of {progress.total} runs, {seconds:.0f} s",
                highlight=False,
            )
