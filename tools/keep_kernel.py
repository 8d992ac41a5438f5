"""Keep the kernel as it is now, before a change of it that changes results: games that run go on with it
(docs/operating/keeping.md).

    python tools/keep_kernel.py

Writes `src/nomopoly/runtime/kernels/<version>.py.gz`, the same bytes for the same kernel, and prints its name.
"""

import gzip
from pathlib import Path

from nomopoly.runtime.interpreters.text import ENDING, KERNELS, kernel_source, kernel_version


def main():
    folder = Path(str(KERNELS))
    folder.mkdir(exist_ok=True)
    file = folder / (kernel_version() + ENDING)
    file.write_bytes(gzip.compress(kernel_source().encode(), mtime=0))
    print(file)


if __name__ == "__main__":
    main()
