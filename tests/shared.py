"""What all processes of a run of the tests share: a folder that one of them fills."""

import contextlib
import fcntl
import os
import shutil


@contextlib.contextmanager
def folder(name: str, tmp_path_factory):
    """(a folder that all processes of this run of the tests share, whether it still has to be made): one makes it,
    others wait."""
    run = tmp_path_factory.getbasetemp()
    run = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    with open(run / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run / f"{name}.done"
        if not done.exists():
            shutil.rmtree(run / name, ignore_errors=True)
        yield run / name, not done.exists()
        done.touch()
