"""What a German page says where the English word would stand, or one with another meaning."""

from pagewords import SECOND, accept, propose, text

from nomopoly.site.tables import domain, live

GERMAN = {"headers": {"Accept-Language": "de"}}


def test_why_the_house_paused_a_game_is_said_once(start_second, people):
    game, _ = start_second("Ann", "Ben")
    with live.of(game).writing() as running:
        running.outage(live.now(), live.now() + 2 * 3600)
    page = text(people("ann").get(f"{SECOND}log/", **GERMAN))
    assert "Das Spiel ist angehalten: die Seite war nicht erreichbar." in page
    assert "the site was away" not in page


def test_how_a_former_player_went_is_no_name_of_the_rules(start_second, people):
    game, _ = start_second("Ann", "Ben", "Cid")
    assert domain.desk_act(game, "remove-player", {"player": "Ann", "because": "Never here"}).ok
    assert domain.order(game, "Ben", "leave-game", {}).ok
    cid = people("cid")
    assert "Ann entfernt" in text(cid.get(f"{SECOND}players/", **GERMAN))
    assert "Ben ausgestiegen" in text(cid.get(f"{SECOND}players/", **GERMAN))
    assert "Ann entfernt" in text(cid.get(f"{SECOND}players/Ann/", **GERMAN))
    assert "Ann removed" in text(cid.get(f"{SECOND}players/Ann/"))


def test_however_odd_a_rule_says_it_the_page_of_players_stays_whole(start_second, people):
    """A list or a number where the rules have a word."""
    game, _ = start_second("Ann", edition="original")
    run = "fact('removed', who='Zed', how=('by', 'magic'), because=7)\nfact('removed', who='Yan', how=7)"
    propose(game, run=run)
    accept(game, "P1")
    page = people("ann").get(f"{SECOND}players/")
    assert page.status_code == 200
    assert "Zed by, magic," in text(page)
    assert "Yan 7," in text(page)


def test_an_order_that_waits_can_be_taken_back_whatever_dice_it_rolls(start_second, people):
    start_second("Ann", "Ben")
    ann = people("ann")
    assert "not taken back" not in text(ann.get(f"{SECOND}act/fire-missile/"))
    assert "Hier wird gewürfelt: Das lässt sich nicht ausprobieren. " in text(
        ann.get(f"{SECOND}act/fire-missile/", **GERMAN)
    )
    assert "not taken back" in text(ann.get(f"{SECOND}act/play-roulette/"))


def test_what_the_admin_rules_and_that_the_game_goes_on_is_said_in_german(start_second, people):
    game, _ = start_second("Ann", "Ben")
    for act, args in (("rule", {"text": "Cake is no money."}), ("pause", {"because": "Holidays"}), ("resume", {})):
        assert domain.desk_act(game, act, args).ok
    page = text(people("ann").get(f"{SECOND}log/", **GERMAN))
    assert "Der Admin entscheidet: Cake is no money." in page
    assert "Das Spiel ist angehalten: Holidays." in page
    assert "Das Spiel geht weiter." in page


def test_the_table_that_decides_for_the_admin_is_named_in_german_too(start_second, people):
    game, _ = start_second("Ann", "Ben")
    game.office, game.admin = "table", None
    game.save()
    assert domain.desk_act(game, "rule", {"text": "Cake is no money."}, by="The table").ok
    assert "The table entscheidet: Cake is no money." in text(people("ann").get(f"{SECOND}log/", **GERMAN))
