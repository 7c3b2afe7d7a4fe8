"""The games as environments of PettingZoo, with agents that take turns (AEC).

    from arbiter_games.pettingzoo import env

    env = env("othello", render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

Agents are called `seat_1` and so on, in turn order. An observation has two parts:

- `observation`: planes of the board (int8, 1 where a seat has a piece): first the agent's own pieces, then those of the seats after
  it in turn order. In stacks these are the tops, and behind them come the lowest `LEVELS` levels of the stacks, from the bottom, one
  plane a seat each. The shape is (planes, rows, columns); the boards of ultimate lie below one another.
- `action_mask`: 1 for each legal action; all 0 for agents that are not to move.

Rewards are `Position.returns()` at the end, and 0 before it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arbiter_games import Game, Position

__all__ = ["LEVELS", "RawEnv", "env", "raw_env"]

LEVELS = 8
"""How many levels of stacks are seen, from the bottom."""


def env(game: str, **settings: Any) -> AECEnv:
    """An environment that ends a game with an illegal action, which costs 1, and says what is used in a wrong order."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(RawEnv(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class RawEnv(AECEnv, EzPickle):
    """The environment itself: `render_mode` is `ansi` (`render` returns a drawing) or `human` (it prints one), `players` and
    everything else go to `Game`. An illegal action raises IllegalMove."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 2}

    position: Position

    def __init__(self, game: str, render_mode: str | None = None, **settings: Any) -> None:
        EzPickle.__init__(self, game, render_mode, **settings)
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is ansi or human, not {render_mode}")
        self.game = Game(game, **settings)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": self.game.id}
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(self.game.players)]
        self._levels = LEVELS if self.game.id == "stacks" else 0
        self._shape = (self.game.players * (1 + self._levels), self.game.height * self.game.depth, self.game.width)
        board = spaces.Box(0, 1, self._shape, np.int8)
        mask = spaces.Box(0, 1, (self.game.actions,), np.int8)
        self._observations = spaces.Dict({"observation": board, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observations)
        # Sampling has a generator of its own in each space.
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. The seed decides what chance does, here and in all games after it that name none."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.position = self.game.reset(int(self._random.integers(1 << 63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choose_agent()

    def _choose_agent(self) -> None:
        seat = self.position.to_move()
        self.agent_selection = self.possible_agents[0 if seat is None else seat]

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.position.step(int(action))
        self.rewards = dict(zip(self.agents, self.position.returns()))
        self._choose_agent()
        if self.position.to_move() is None:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        seat, players = self.possible_agents.index(agent), self.game.players
        cells = np.frombuffer(self.position.cells(), np.uint8)
        layers = np.zeros((1 + self._levels, cells.size), np.uint8)
        layers[0] = cells
        for cell in np.flatnonzero(cells) if self._levels else ():
            column = np.frombuffer(self.position.column(int(cell))[: self._levels], np.uint8)
            layers[1 : 1 + column.size, cell] = column
        values = np.array([(seat + after) % players + 1 for after in range(players)], np.uint8)
        planes = (layers[:, None, :] == values[None, :, None]).astype(np.int8)
        if seat == self.position.to_move():
            mask = np.frombuffer(self.position.legal_mask(), np.int8).copy()
        else:
            mask = np.zeros(self.game.actions, np.int8)
        return {"observation": planes.reshape(self._shape), "action_mask": mask}

    def render(self) -> str | None:
        if self.render_mode == "human":
            print(self.position.draw())
            return None
        return self.position.draw() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


raw_env = RawEnv
"""The name that PettingZoo's own games use."""
