"""What pages say of auctions, elections and exploits is true and plain: nothing of what is hidden, no ids, no clock."""

import re
from html import unescape

from pagewords import SECOND, grant, text, well

from nomopoly.site.tables import domain, live


def told(client, path):
    return unescape(text(client.get(SECOND + path)))


def test_a_square_says_nothing_of_what_one_does_not_see(start_second, people, keeper):
    game, _go = start_second("Ann", "Ben", edition="mail")
    for name, value in (("owner", "$government"), ("going", "once"), ("bid", 1200), ("bidder", "Ann")):
        grant(game, "#12", name, value)
    page = told(people("ann"), "squares/12/")
    assert "Highest bid $1,200" in page
    assert "Highest bidder" not in page, "Ann is the highest bidder: that there is none would not be true"
    assert "Highest bidder Ann" in told(keeper, "squares/12/")


def test_an_election_without_candidates_is_no_line_of_the_log(start_second, people):
    game, go = start_second("Ann", "Ben")
    grant(game, "game", "next_election", 1)
    for _ in range(2):
        go(3)
    page = told(people("ann"), "log/")
    assert "the result of the election" in page, "among what nothing came of"
    assert "The clock: the result of the election" not in page


def test_an_exploit_is_called_by_its_name(start_second, people):
    game, _go = start_second("Ann", "Ben")
    well(domain.order(game, "Ann", "post-exploit-block", {"name": "Free lunch", "text": "Everybody eats."}))
    grant(game, "exploit-1", "status", "blocked")
    well(domain.desk_act(game, "settle-exploit", {"on": "exploit-1"}))
    assert "striking what used the exploit Free lunch" in told(people("ben"), "log/")


def test_a_refusal_to_come_calls_things_by_their_names(start_second, people, keeper):
    game, go = start_second("Ann", "Ben", "Cid")
    well(domain.order(game, "Ann", "post-exploit-block", {"name": "Free lunch", "text": "Everybody eats."}))
    assert "the vote on Free lunch is not over" in told(keeper, "admin/")
    grant(game, "#2", "owner", "Ann")
    grant(game, "#3", "owner", "Ben")
    well(domain.order(game, "Ann", "make-block", {"type": "residential", "squares": ["#2", "#3"]}))
    agreement = next(id for id in live.of(game).view("Ben")["things"] if id.startswith("agreement"))
    well(domain.order(game, "Ben", "agree", {"on": agreement}))
    go(3)
    well(domain.order(game, "Cid", "break-block", {"block": "block-1"}))
    assert "you own nothing of block 1" in told(people("cid"), "act/")


def test_sums_in_the_words_of_a_rule_are_written_like_all_sums(start_second, people):
    game, _go = start_second("Ann", "Ben", edition="iv")
    page = people("ann").get(f"{SECOND}rules/4.2/").content.decode()
    assert re.search(r"\$<span[^>]*>10,000</span>", page)
