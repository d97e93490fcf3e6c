"""Workers that are killed, and the journal that counts their attempts."""

import asyncio
import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
from collections import defaultdict

import pytest
from handover_macp import MacpSdkError, MacpSessionError, ReconnectPolicy, new_session_id
from handover_macp.agent import HandoffWorker, file_journal
from handover_macp.aio import AsyncMacpClient
from server_process import ROOT
from worker_kit import Calls, answered, as_agent, offered, until, working

OFFERS = int(os.environ.get("WORKER_OFFERS", "100"))
KILLS = int(os.environ.get("WORKER_KILLS", "4"))


def start(address, agent, folder):
    command = [sys.executable, str(ROOT / "python" / "tests" / "worker_process.py"), address, agent, str(folder / "journal"), str(folder / "log")]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    return process


def lines(folder):
    path = folder / "log"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


async def test_each_offer_is_answered_once_by_a_worker_that_is_killed(server, tmp_path):
    agent = f"bob-{new_session_id()}"
    async with AsyncMacpClient(server.address, auth=as_agent("alice"), default_timeout=60) as alice:
        sessions = []

        async def offer_all():
            for number in range(OFFERS):
                contexts = [b"context"] if number % 2 else []
                sessions.append(await offered(alice, agent, contexts=contexts, ttl_ms=600_000))
                await asyncio.sleep(0.02)

        offering = asyncio.create_task(offer_all())
        for kill in range(1, KILLS + 1):
            process = await asyncio.to_thread(start, server.address, agent, tmp_path)
            # Killed in the middle of its work, not at its start: when its share of all answers is given.
            await until(lambda: answers_in(tmp_path) >= kill * OFFERS // (KILLS + 2), seconds=120)
            await asyncio.sleep(random.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            process.communicate()
        process = await asyncio.to_thread(start, server.address, agent, tmp_path)
        await offering
        for session in sessions:
            await answered(session, seconds=120)
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.to_thread(process.communicate, timeout=60)
        assert (process.returncode, errors) == (0, "")
        histories = {session.session_id: (await session.sync()).transcript for session in sessions}
    for history in histories.values():
        kinds = [envelope.message_type for envelope in history]
        assert len([kind for kind in kinds if kind in ("HandoffAccept", "HandoffDecline")]) == 1
    check_calls(lines(tmp_path), set(histories))


def answers_in(folder):
    return sum(line["event"] == "answered" for line in lines(folder))


def check_calls(said, sessions):
    attempts, acknowledged = defaultdict(list), set()
    for line in said:
        session = line["sessionId"]
        if line["event"] == "answered":
            assert session not in acknowledged, "an answer was told of twice"
            acknowledged.add(session)
        else:
            assert session not in acknowledged, "the decision was made again after its answer was acknowledged"
            attempts[session].append(line["attempt"])
    assert set(attempts) == sessions
    for numbers in attempts.values():
        # One after another from 1; the same again only for context that came meanwhile.
        assert sorted(set(numbers)) == list(range(1, numbers[-1] + 1)) and numbers == sorted(numbers)
    assert max(max(numbers) for numbers in attempts.values()) >= 2, "no kill has hit a decision"


async def test_an_answer_that_was_accepted_before_a_kill_calls_nobody(server, tmp_path):
    agent = f"bob-{new_session_id()}"
    async with AsyncMacpClient(server.address, auth=as_agent("alice")) as alice:
        session = await offered(alice, agent)
        process = None

        def kill(request, context):
            def after(answer):
                process.send_signal(signal.SIGKILL)
                return answer

            return after

        with Calls(server.address) as calls:
            calls.before_send = kill
            process = await asyncio.to_thread(start, calls.address, agent, tmp_path)
            await answered(session)
            await asyncio.to_thread(process.communicate)
        other = await offered(alice, agent)
        process = await asyncio.to_thread(start, server.address, agent, tmp_path)
        await answered(other)
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.communicate)
    calls_made = [(line["sessionId"], line["attempt"]) for line in lines(tmp_path) if line["event"] == "decide"]
    assert calls_made == [(session.session_id, 1), (other.session_id, 1)]


def test_a_journal_counts_over_restarts_and_drops_what_is_over(tmp_path):
    path = tmp_path / "journal"
    journal = file_journal(path)
    journal.open()
    journal.begin("s1", "h1", 1)
    journal.begin("s1", "h1", 2)
    journal.begin("s2", "h\u2028ü", 1)
    journal.begin("s3", "h1", 1)
    journal.end("s2", "h\u2028ü")
    journal.end("never begun", "h1")
    journal.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = file_journal(str(path))
    again.open()
    assert [again.attempts(*key) for key in (("s1", "h1"), ("s2", "h\u2028ü"), ("s3", "h1"))] == [2, 0, 1]
    again.keep_only(lambda session_id: session_id == "s1")
    again.close()
    written = path.read_text().splitlines()
    assert written == ['{"journal":"macp-worker/1"}', '{"sessionId":"s1","handoffId":"h1","attempt":2}']


@pytest.mark.parametrize("torn", ['{"sessionId":"s2","hand', '{"sessionId":"s2","handoffId":"h1","attempt":1}', "\udcff"])
def test_a_torn_last_line_is_left_out(tmp_path, torn):
    path = tmp_path / "journal"
    whole = '{"journal":"macp-worker/1"}\n{"sessionId":"s1","handoffId":"h1","attempt":3}\n'
    path.write_bytes(f"{whole}{torn}".encode(errors="surrogateescape"))
    journal = file_journal(path)
    journal.open()
    assert (journal.attempts("s1", "h1"), journal.attempts("s2", "h1")) == (3, 0)
    journal.begin("s2", "h1", 1)
    journal.close()
    assert path.read_text() == f'{whole}{{"sessionId":"s2","handoffId":"h1","attempt":1}}\n'


@pytest.mark.parametrize("text", ["my diary\n", '{"journal":"macp-worker/1"}\nnonsense\n', '{"journal":"macp-worker/1"}\n{}\n', "diary"])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path, text):
    path = tmp_path / "journal"
    path.write_text(text)
    for _ in range(2):
        with pytest.raises(MacpSdkError, match="is not a journal of a worker, and was left as it is"):
            file_journal(path).open()
    assert path.read_text() == text


def test_a_journal_goes_on_where_there_was_no_room_for_a_while(tmp_path):
    path = tmp_path / "journal"
    journal = file_journal(path)
    journal.open()
    refused = []

    def begin(number, attempt):
        try:
            journal.begin(f"s{number}", "h1", attempt)
        except (OSError, MacpSdkError) as error:
            refused.append((number, journal.attempts(f"s{number}", "h1"), str(error)))

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The system then takes half a line, as it does on a disk that is full.
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limits[1]))
    try:
        begun = next(number for number in range(200) if begin(number, 1) or refused)
        begin(begun + 1, 1)
        begin(0, 2)
        for number in range(3, begun):
            journal.end(f"s{number}", "h1")
        begin(1, 2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [(number, attempts) for number, attempts, _ in refused] == [(begun, 0), (begun + 1, 0)]
    assert "no room for the journal" in refused[0][2] and begun > 20
    # As the next process finds it.
    (tmp_path / "copy").write_bytes(path.read_bytes())
    journal.close()
    again = file_journal(tmp_path / "copy")
    again.open()
    attempts = [again.attempts(f"s{number}", "h1") for number in (0, 1, 2, 3, begun - 1, begun, begun + 1)]
    again.close()
    assert attempts == [2, 2, 1, 0, 0, 0, 0]


def test_a_journal_that_cannot_be_opened_says_so(tmp_path):
    with pytest.raises(MacpSdkError, match="journal .*/no-such-folder/journal cannot be opened: .*No such file"):
        file_journal(tmp_path / "no-such-folder" / "journal").open()


def test_a_journal_stays_small(tmp_path):
    path = tmp_path / "journal"
    journal = file_journal(path)
    journal.open()
    for number in range(5_000):
        journal.begin(f"s{number}", "h1", 1)
        journal.end(f"s{number}", "h1")
    assert len(path.read_text().splitlines()) < 1_100
    journal.close()


async def test_a_journal_is_of_one_worker_at_a_time(server, tmp_path):
    path = tmp_path / "journal"
    async with AsyncMacpClient(server.address, auth=as_agent(f"bob-{new_session_id()}")) as client:
        worker = HandoffWorker(client, lambda offer: True, journal=file_journal(path))
        async with working(worker):
            await until(lambda: path.exists())
            other = HandoffWorker(client, lambda offer: True, journal=file_journal(path))
            with pytest.raises(MacpSdkError, match=f"in use by process {os.getpid()}: one worker at a time"):
                await other.run()
        # It is free again when the first has ended.
        async with working(HandoffWorker(client, lambda offer: True, journal=file_journal(path))):
            pass
    with pytest.raises(MacpSessionError, match="path"):
        file_journal("")


async def test_a_journal_forgets_what_ended_while_no_worker_ran(server, tmp_path):
    agent = f"bob-{new_session_id()}"
    async with AsyncMacpClient(server.address, auth=as_agent("alice")) as alice:
        ended, waiting = await offered(alice, agent), await offered(alice, agent)
        await ended.cancel()
        journal = file_journal(tmp_path / "journal")
        journal.open()
        for session in (ended, waiting):
            journal.begin(session.session_id, "h1", 4)
        journal.close()
        attempts = []
        async with AsyncMacpClient(server.address, auth=as_agent(agent)) as client:
            decide = lambda offer: attempts.append(offer.attempt) or True  # noqa: E731
            async with working(HandoffWorker(client, decide, journal=file_journal(tmp_path / "journal"))):
                await answered(waiting)
    assert attempts == [5]
    reopened = file_journal(tmp_path / "journal")
    reopened.open()
    assert (reopened.attempts(ended.session_id, "h1"), reopened.attempts(waiting.session_id, "h1")) == (0, 0)
    reopened.close()


async def test_the_number_of_attempts_holds_over_restarts(server, tmp_path):
    agent = f"bob-{new_session_id()}"
    async with AsyncMacpClient(server.address, auth=as_agent("alice")) as alice:
        session = await offered(alice, agent)
        failures = []

        async def serve(calls):
            async with AsyncMacpClient(server.address, auth=as_agent(agent)) as client:
                worker = HandoffWorker(
                    client,
                    lambda offer: calls.append(offer.attempt) or 1 / 0,
                    journal=file_journal(tmp_path / "journal"),
                    retry=ReconnectPolicy(max_attempts=2, backoff_base=0.01),
                    on_error=failures.append,
                )
                async with working(worker):
                    await until(lambda: failures and failures[-1].retry_in_ms is None)

        calls = []
        await serve(calls)
        failures.clear()
        await serve(calls)
        assert calls == [1, 2]
        assert "as many attempts as max_attempts allows have failed" in str(failures[0].error)
        assert (await session.sync()).active_offer() is not None
