"""Section XXXII: jobs that are auctioned, and what they pay."""

section("XXXII", "Labor")

rule("XXXII.1", """
The Government and The Corporation offer jobs to the players. When a job is announced, a week of bidding follows: whoever offers to
pay most pays it to the one that offers the job, and has it.
""", title="Jobs")

kind("job")
attribute("job", "holder", None, label="Held by", type="thing")
attribute("job", "offered_by", None, label="Offered by", type="thing")
attribute("player", "job", None, label="Job", type="thing")

rule("XXXII.4", """
Head GIPPer is a job of The Government. At each job of a GIPPer, and whenever glue is applied, the Head GIPPer is taken to the square
and paid {part}% of what The Government collects for it.
""", title="Head GIPPer", part=75)

event("job-pay", "paid-for-job", job="job", square="square", amount="")
