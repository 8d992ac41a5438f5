"""A game as an environment for learning players (PettingZoo's AEC), over any edition: `pip install nomopoly[rl]`.

Each player acts once a day, one after the other; then a day passes. What a player may do is a list of orders that would
be carried out now, made from the forms that rules declare; which of them stands at which place changes from step to
step, and is told in `infos`. Whoever wants other orders gives them to `env.game` themselves.
"""

from __future__ import annotations

from typing import Any

try:
    import gymnasium
    import numpy
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError("the environment needs the extra 'rl': pip install nomopoly[rl]", name=missing.name) from None

from nomopoly.errors import CommandError
from nomopoly.lab.bots import sit_at_the_desk
from nomopoly.lab.inside import LEAVING, let_play
from nomopoly.lab.simulate import (
    DAY,
    START,
    load,
    player_names,
    secret_of,
    take_in,
    turns_are_given,
    whole_rules,
)
from nomopoly.rulebook.source import Book
from nomopoly.runtime.host import Game, open_game
from nomopoly.runtime.interpreters import Fault

Data = dict[str, Any]
NUMBERS = ("number", "money")  # types of attributes
MOST = 2**62  # of a number that is observed, up and down


class NomopolyEnv(AECEnv):  # type: ignore[misc]
    """Some weeks of an edition, a folder or file of rules, or of `book`; `runtime` "monty" keeps rules of one's own in
    the sandbox.

    Action 0 is to do nothing, action n the n-th order of `infos[agent]["orders"]`: [action, fields]. An observation is
    {"observation": whole numbers of shape (players, numbers), "action_mask": which actions there are}: `numbers` are
    the names of what players have, as far as the observer sees it; 0 stands for what they do not. The reward is by how
    much the number `reward` of a player has changed.

    Raises CommandError if a game cannot begin with the rules, if nobody can join it, or if its players have no number
    of the name `reward`; ValueError if there are to be no players, weeks or choices.
    """

    metadata = {"name": "nomopoly_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        edition: str = "original",
        players: int = 4,
        weeks: int = 4,
        reward: str = "money",
        choices: int = 16,
        runtime: str = "cpython",
        book: Book | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        for name, number in (("players", players), ("weeks", weeks), ("choices", choices)):
            if number < 1:
                raise ValueError(f"{name} must be 1 or more, not {number}")
        if book is not None and not isinstance(book, Book):
            raise TypeError(f"book is a Book, as nomopoly.rulebook.own.load_rules(path)[0] is one, not {book!r:.80}")
        self.book = book or load(edition)
        self.possible_agents = player_names(players)
        self.weeks, self.reward, self.choices, self.runtime = weeks, reward, choices, runtime
        self.render_mode = render_mode
        self.game: Game | None = None
        self.begin(0)
        listed = self.playing.view("visitor")["schema"]["player"]
        counted = [each for each in listed if each["type"] in NUMBERS]
        kept = [each["name"] for each in counted if each["label"] and (each["summary"] or each["type"] == "money")]
        self.see_reward(sorted(each["name"] for each in counted))
        self.numbers: list[str] = sorted({*kept, reward})
        box = gymnasium.spaces.Box(-MOST, MOST, (players, len(self.numbers)), numpy.int64)
        mask = gymnasium.spaces.Box(0, 1, (choices + 1,), numpy.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(choices + 1) for agent in self.possible_agents}

    @property
    def playing(self) -> Game:
        """The game. Raises ValueError before `reset` and after `close`."""
        if self.game is None:
            raise ValueError("there is no game: call reset() first")
        return self.game

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def begin(self, seed: int) -> None:
        """Open a game in which everybody plays."""
        self.close()
        secret = secret_of(seed)
        self.seeded = seed
        with whole_rules():
            self.game = open_game(
                self.book, title="Environment", game_id="environment", runtime=self.runtime, at=START, secret=secret
            )
        self.day = 0
        self.playing.run_due(START)
        for name in self.possible_agents:
            self.seat(name)

    def see_reward(self, names: list[str]) -> None:
        """Raise CommandError if players have no number of the name that is rewarded; `names` are those they have."""
        try:
            found = self.playing.value(self.reward, self.possible_agents[0])
        except (Fault, KeyError, ValueError):
            found = None
        if type(found) is not int and self.reward not in names:
            self.close()
            raise CommandError(f"players have no number '{self.reward}': there are {', '.join(names) or 'none'}")

    def seat(self, name: str) -> None:
        """Let somebody join. Raises CommandError, with the reason, if the rules do not."""
        for outcome in take_in(self.playing, name, START):
            if not outcome.ok:
                why = outcome.refused or "rule {rule}, line {line}: {message}".format(**(outcome.fault or {}))
                self.close()
                raise CommandError(f"{name} cannot join a game of these rules: {why}")

    def reset(self, seed: int | None = None, options: Data | None = None) -> None:
        """Begin again; the same seed and actions give the same game."""
        self.begin(seed or 0)
        self.agents = self.possible_agents[:]
        self.place = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Data = {agent: {"orders": []} for agent in self.agents}
        self.worth = {agent: self.worth_of(agent) for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.morning()
        self.offer()

    def worth_of(self, agent: str) -> int:
        """The number that is rewarded; 0 for one who is out of the game."""
        there = self.playing.runtime.call("ids")["things"].get(agent) == "player"
        found = self.playing.value(self.reward, agent) if there else 0
        return found if type(found) is int else 0

    def offer(self) -> None:
        """Tell the agent whose turn it is what it may do."""
        let_play(self.playing.runtime)
        asked = {"who": self.agent_selection, "at": self.now, "avoids": list(LEAVING), "most": self.choices}
        seed = f"{self.seeded}:{self.agent_selection}:{self.day}"  # no number of entries: some are secret
        self.infos[self.agent_selection] = {"orders": self.playing.runtime.call("offers", {**asked, "seed": seed})}

    @property
    def now(self) -> int:
        """The moment of this day."""
        return max(START + self.day * DAY, self.playing.now)

    def observe(self, agent: str) -> Data:
        """What an agent sees of the numbers of all players, and which actions it has."""
        told = self.playing.numbers()
        seen = numpy.zeros((len(self.possible_agents), len(self.numbers)), numpy.int64)
        for row, who in enumerate(self.possible_agents):
            for_all, own, _ = told.get(who, ({}, {}, {}))
            known = {**for_all, **(own if who == agent else {})}
            seen[row] = [max(-MOST, min(MOST, known.get(name, 0))) for name in self.numbers]
        mask = numpy.zeros(self.choices + 1, numpy.int8)
        mask[: 1 + len(self.infos.get(agent, {}).get("orders", ()))] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent whose turn it is, and go on to the next one; after the last one a day
        passes."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        orders = self.infos[agent]["orders"]
        if not isinstance(action, int | numpy.integer) or not 0 <= action <= len(orders):
            raise ValueError(f"{agent} has the actions 0 to {len(orders)}: not {action}")
        self._cumulative_rewards[agent] = 0
        if action:
            do, fields = orders[action - 1]
            self.playing.order(agent, do, fields, self.now)
        self.infos[agent] = {"orders": []}
        self.place += 1
        if self.place >= len(self.agents):
            self.place = 0
            self.evening()
        self.count()
        self.agent_selection = self.agents[self.place]
        if not self.terminations[self.agent_selection] and not self.truncations[self.agent_selection]:
            self.offer()
        else:
            self._deads_step_first()

    def morning(self) -> None:
        """Give turns where the Admin does."""
        if turns_are_given(self.playing):
            for agent in self.agents:
                self.playing.tick(self.now, "turn", {"who": agent})

    def evening(self) -> None:
        """Let the Admin decide, and a day pass."""
        sit_at_the_desk(self.playing, self.seeded, self.now)
        self.day += 1
        self.playing.run_due(self.now)
        self.morning()

    def count(self) -> None:
        """Reward everybody, and see who is out and whether it is over."""
        over, late = self.playing.over() or self.playing.paused(), self.day >= 7 * self.weeks
        there = self.playing.runtime.call("ids")["things"]
        for agent in self.agents:
            worth = self.worth_of(agent)
            self.rewards[agent], self.worth[agent] = worth - self.worth[agent], worth
            self.terminations[agent] = over or there.get(agent) != "player"
            self.truncations[agent] = late and not self.terminations[agent]
        self._accumulate_rewards()

    def render(self) -> str:
        """The standings as text."""
        told = self.playing.numbers()
        return "\n".join(f"{who}: {for_all}" for who, (for_all, _, _) in told.items())

    def close(self) -> None:
        """End the game."""
        if self.game is not None:
            self.game.runtime.close()
        self.game = None
