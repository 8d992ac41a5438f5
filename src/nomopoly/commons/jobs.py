"""Jobs: who holds them."""


def job_holder(id):
    """The player who holds the job of that id, or None."""
    job = find(id)
    return job.holder if job is not None and job.kind == "job" else None
