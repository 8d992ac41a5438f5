"""What pages say of auctions, elections and exploits is true and plain: nothing of what is hidden, no ids, no clock."""

from html import unescape

from pagewords import SECOND, grant, text, well

from nomopoly.site.tables import domain


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
