"""What does a size that was never seen cost, beside one that was?"""

from __future__ import annotations

from session import Row, Section, Session
from size_programs import COMPILED, SIZE_PROGRAMS
from slice_loops import SLICE_LOOPS

#: Who compiles, or runs, arrays of any size, and for whom a size is a matter of 0.1 s.
COMPILING = ("trilith", "numpy", "torch", "torch.compile", "jax")
SLOW = ("jax",)
SLOW_SIZES = 5
#: Sizes between two lines of progress.
PART = 500


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("sizes: us, float32; n and i never seen before, and seen")
    for name, program in SIZE_PROGRAMS.items():
        if program.is_compiled:
            peers = [peer for peer in session.peers if peer in COMPILING]
        else:
            jax = [peer for peer in session.peers if peer == "jax"]
            peers = session.eager_peers() + jax
        _compare(session, section, name, peers)
    _count_plans(session, section)
    for name in SLICE_LOOPS:
        _loop(session, section, name)
    return section


def _compare(session: Session, section: Section, name: str, peers: list[str]) -> None:
    """Add two rows: calls with sizes never seen, and the same calls again."""
    count, rounds = session.effort.new_sizes, session.effort.rounds
    ready = session.prepare(name, peers, "prepare_sizes", program=name, largest=count * rounds)
    new, seen = Row(f"{name}, never seen", {}), Row(f"{name}, seen", {})
    section.rows += [new, seen]
    for chosen, sizes in (
        ([peer for peer in ready if peer not in SLOW], count),
        ([peer for peer in ready if peer in SLOW], min(count, SLOW_SIZES)),
    ):
        for peer, pairs in session.in_turns(chosen, "time_sizes", count=sizes).items():
            new.rounds[peer] = [pair[0] for pair in pairs]
            seen.rounds[peer] = [pair[1] for pair in pairs]


def _count_plans(session: Session, section: Section) -> None:
    """Add how many plans ours makes for many sizes."""
    if "trilith" not in session.peers:
        return
    calls, part = session.effort.calls, min(session.effort.calls, PART)
    if session.ask("trilith", "prepare_sizes", program=COMPILED, largest=calls) is None:
        return
    found: list[dict[str, float]] = []
    for done in range(0, calls, part):
        session.progress(f"{COMPILED}: trilith, {done} of {calls} sizes")
        answer = session.ask("trilith", "count_plans", calls=part)
        if answer is None:
            return
        found.append(answer)
    plans, kernels = (sum(answer[what] for answer in found) for what in ("plans", "kernels"))
    mean = sum(answer["time"] for answer in found) / len(found) / 1e3
    section.notes.append(
        f"trilith, {COMPILED}: {calls} calls with as many sizes made {plans} plans and compiled "
        f"{kernels} kernels (stats()); {mean:.1f} us a call"
    )


def _loop(session: Session, section: Section, name: str) -> None:
    """Add a loop over slices: its first run, in which each size is new, and the others."""
    side = session.effort.side
    first, again = (Row(f"{name}, n = {side}, {word}", {}) for word in ("first run", "again"))
    section.rows += [first, again]
    for peer in session.eager_peers():
        session.progress(f"{name}: {peer}")
        answer = session.ask(peer, "prepare_loop", program=name, side=side)
        if answer is not None:
            first.rounds[peer] = [answer]
    again.rounds.update(
        session.in_turns([*first.rounds], "measure", seconds=session.effort.seconds)
    )
