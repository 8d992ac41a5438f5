"""Jobs: who holds them."""


def job_holder(id):
    """The player who holds the job of that id, or None."""
    job = find(id)
    if job is None or job.kind != "job":
        return None
    for who in [job.holder, *players()]:
        if who is not None and (who is job.holder or who.job is job):
            return who
    return None


def job_of(who):
    """The job that a player holds, or None."""
    for job in every("job"):
        if job_holder(job.id) is who and who.job in (job, None):
            return job
    return None


def do_job(job, square, wage):
    """Take the holder of a job to where it is done, and pay the wage."""
    who = job_holder(job.id)
    if who is not None and who.square is not square:
        put_on(who, square)
    if who is not None and wage > 0:
        paid_by(job.employer or "$government", who, wage)
