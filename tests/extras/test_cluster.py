"""Futures on a Dask cluster: the same as here, whoever is killed meanwhile."""

import asyncio
import os
import signal
import socket
import sys

import pytest
from distributed import LocalCluster

from nomopoly.errors import CommandError
from nomopoly.lab import futures as playing
from nomopoly.lab.cluster import play_on
from nomopoly.lab.simulate import play_weeks

RAISE = {"changes": [{"amend": "IV.1", "params": {"start_money": 2000}}]}


@pytest.fixture(scope="module")
def work():
    game, _ = play_weeks("original", players=3, weeks=1, seed=5)
    return playing.prepare(game, RAISE, 24, 1)


@pytest.fixture
def cluster(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


def test_the_result_is_that_of_this_machine_and_a_killed_worker_costs_only_its_seeds(work, cluster):
    killed = []

    def kill(done):
        if not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)
        return True

    assert play_on(cluster.scheduler_address, work, progress=kill) == playing.play_all(work, 2)
    assert killed


def test_the_rest_is_left_out_when_somebody_stops_it(work, cluster):
    assert 1 <= len(play_on(cluster.scheduler_address, work, progress=lambda done: False)) < 24


def test_an_address_without_a_scheduler_is_told(work, monkeypatch):
    monkeypatch.setattr("nomopoly.lab.cluster.SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense", "http://127.0.0.1:9", "tcp://"):
        with pytest.raises(CommandError, match=f"there is no Dask scheduler at {address}: "):
            play_on(address, work)


def test_something_else_at_the_address_is_told_and_not_waited_for(work, monkeypatch):
    monkeypatch.setattr("nomopoly.lab.cluster.SECONDS", 1)
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, pytest.raises(CommandError, match="there is no Dask scheduler"):
        play_on(f"tcp://127.0.0.1:{silent.getsockname()[1]}", work)


def test_workers_with_another_version_and_a_cluster_without_workers_are_told(work, cluster, monkeypatch):
    monkeypatch.setattr("nomopoly.lab.cluster.COMING", 2)
    monkeypatch.setattr("nomopoly.lab.cluster.__version__", "99")
    with pytest.raises(CommandError, match="needs Nomopoly 99"):
        play_on(cluster.scheduler_address, work)
    cluster.scale(0)
    while cluster.scheduler.workers:
        cluster.sync(asyncio.sleep, 0.1)
    with pytest.raises(CommandError, match="has no worker"):
        play_on(cluster.scheduler_address, work)
