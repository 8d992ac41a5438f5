"""Section XXXII: jobs, for which players bid, and what they bring."""

section("XXXII", "Labor")

rule("XXXII.1", """
The Government and The Corporation offer jobs to the players. A job that nobody holds is announced at the start of a week. Then players
bid for it for a week: anybody may offer to pay for the job, and may raise an own offer; offers are public. At the next start of a week
the job goes to the player who offers to pay most, who pays that to the one offering the job; of equal offers the earlier one counts,
and an offer that its player cannot pay is passed over. If nobody can be given the job, there is another week of bidding. Of what its
work consists and what it brings, the rules say, or the Admin as the job is offered for the first time.
""", title="Jobs")

kind("job")
attribute("job", "title", "", label="Job")
attribute("job", "text", "", label="Terms")
attribute("job", "holder", None, label="Held by", type="thing")
attribute("job", "employer", None, label="Job of", type="thing")
attribute("job", "offered_by", None, label="Offered by", type="thing")
attribute("job", "bids", (), label="Bids", type="list")  # (player, dollars), in the order in which they came
attribute("player", "job", None, label="Job", type="thing")
event("give-jobs", say="The jobs are given")
event("offer-new-job", "offered", say="{job} is offered by {by}", job="job", by="")
event("give-job", "given-job", say="{who} gets the job {job} for ${amount}", who="player", job="job", amount="")
event("lose-job", "quit", say="{who} no longer has the job {job}", who="player", job="job")
event("job-pay", job="job", square="square", amount="")
step("job-market", 10, "give-jobs", when=lambda: every("job"))


def offered_jobs():
    """The jobs for which players may bid."""
    return [each for each in every("job") if each.offered_by is not None and job_holder(each.id) is None]


@value("bids_told", of="job", label="Offers")
def bids_told(job):
    """The bids for a job in words: "Ann $50, Ben $40"."""
    return ", ".join([f"{name_of(who)} ${amount}" for who, amount in job.bids if exists(who)])


@check("bid-job")
def offered(e):
    if e.job not in offered_jobs():
        return f"not going: {e.job.id} is not offered"
    own = dict([(who.id, amount) for who, amount in e.job.bids]).get(e.who.id)
    if own is not None and e.amount <= own:
        return f"bid more: you have offered ${own}"


@action(
    "bid-job",
    "Bid for a job",
    fact="bid",
    say="{who} offers ${amount} for the job {job}",
    job=choose("job", "Job", choices=lambda who: offered_jobs(), shows="bids_told"),
    amount=number("Dollars", money=True),
)
def bid_job(e):
    others = [each for each in e.job.bids if each[0] is not e.who]
    put(e.job, "bids", (*others, (e.who, e.amount)))


@on("give-jobs")
def give_jobs(e):
    for job in offered_jobs():
        for who, amount in sorted(job.bids, key=lambda each: -each[1]):
            if job_holder(job.id) is None and exists(who) and who.money >= amount:
                do("give-job", may=True, who=who, job=job, amount=amount)
        put(job, "bids", ())
    for job in every("job"):
        if job_holder(job.id) is None and job.offered_by is None:
            do("offer-new-job", job=job, by=job.employer or find("$government"))


@on("give-job")
def give_job(e):
    if e.amount:
        pay(e.who, e.job.offered_by, e.amount)
    put(e.job, "holder", e.who)
    put(e.who, "job", e.job)


@on("offer-new-job")
def offer_new_job(e):
    put(e.job, "offered_by", e.by)


@on("lose-job")
def lose_job(e):
    put(e.who, "job", None)
    put(e.job, "holder", None)
    put(e.job, "offered_by", None)


@after("remove")
def leaver_loses_job(e):
    while job_of(e.who) is not None:
        do("lose-job", who=e.who, job=job_of(e.who))
    for job in every("job"):
        if [who for who, amount in job.bids if who is e.who]:
            put(job, "bids", tuple([each for each in job.bids if each[0] is not e.who]))


@check("offer-job")
def can_be_offered(e):
    job = find(e.job)
    if job is not None and job.kind != "job":
        return f"already: {e.job} is the name of something else"
    if job_holder(e.job) is not None:
        return f"already: {e.job} is held by {name_of(job_holder(e.job))}"
    if job is None and (reserved_name(e.job) or not e.job.replace("-", "").isalnum()):
        return "a job is called by a word of letters, figures and hyphens"


@action(
    "offer-job",
    "Have a job offered",
    by="admin",
    job=words("Job (a short word)", limit=40),
    by_=one_of(("$government", "$corporation"), "Offered by", default="$government"),
    title=words("Title", limit=100, optional=True),
    text=words("Terms", limit=5000, long=True, optional=True),
)
def offer_job(e):
    job = find(e.job) or create("job", id=e.job)
    put(job, "employer", thing(e.by_))
    put(job, "offered_by", None)
    put(job, "bids", ())
    put(job, "title", e.title or job.title or e.job)
    put(job, "text", e.text or job.text)


rule("XXXII.2", """
A player may quit a job at any time. It is then offered anew at the next start of a week.
""", title="Quitting")


@check("quit-job")
def has_one(e):
    if job_of(e.who) is None:
        return "not yours: you have no job"


@action("quit-job", "Quit a job")
def quit_job(e):
    do("lose-job", who=e.who, job=job_of(e.who))


rule("XXXII.3", """
Nobody has two jobs: who takes a second one quits the first by it.
""", title="One job")


@after("give-job")
def one_job(e):
    for job in every("job"):
        if job_holder(job.id) is e.who and job is not e.job:
            do("lose-job", who=e.who, job=job)
            put(e.who, "job", e.job)


rule("XXXII.4", """
Head GIPPer is a job of The Government. At each job of a GIPPer, and at each application of glue, the Head GIPPer is taken to the
square of it, without landing there, and paid {part}% of what The Government collects for it. The Government pays that, also to a Head
GIPPer who is a customer too.
""", title="Head GIPPer", part=75)


@after("open")
def first_head(e):
    create("job", id="head-gipper", title="Head GIPPer", employer=find("$government"))


@after("job-pay")
def head_at_work(e):
    if e.job.id == "head-gipper":
        do_job(e.job, e.square, share(e.amount, rule.part))


rule("XXXII.5", """
Taxi Driver is a job of The Government. At each ride the Taxi Driver is taken to where it ends, without landing there, and paid {part}%
of what The Government collects for it. The Government pays that, also to a Taxi Driver who is the passenger too.
""", title="Taxi Driver", part=75)


@after("open")
def first_driver(e):
    create("job", id="taxi-driver", title="Taxi Driver", employer=find("$government"))


@after("job-pay")
def driver_at_work(e):
    if e.job.id == "taxi-driver":
        do_job(e.job, e.square, share(e.amount, rule.part))
