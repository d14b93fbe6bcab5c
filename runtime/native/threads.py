"""How do several threads make one launch? In parts that each takes for itself, until none is left.

Each thread begins with parts of its own, the same at each launch: what it read and wrote before it
finds in its own caches. Who has made these takes from the others.

Who calls takes parts like all others, and waits for parts that somebody has taken, never for
somebody to come: a thread that is late, asleep or gone (in a forked child) costs nothing. There is
one launch at a time; what another thread of Python launches meanwhile it makes alone, and so does
what is launched within a part.

A thread that finds nothing to do looks for some microseconds, then sleeps. To wake it takes longer
than short launches do, so they are shared with who is awake, and only when much work was not shared
is somebody woken for it.

Threads run kernels and nothing of Python's, with all signals blocked, and compute as the thread
that calls does (`MXCSR`).
"""

from __future__ import annotations

from .form import (
    ALONG,
    BUSY,
    COST,
    CUT_EXTENT,
    CUT_GRAIN,
    CUT_PARTS,
    CUT_SHIFTS,
    CUTS,
    DONE,
    EVEN_PARTS_FOR_EACH,
    FIRST_SHIFT,
    FIRST_SIZE,
    FUNCTION,
    FUTEX,
    FUTEX_WAIT_PRIVATE,
    FUTEX_WAKE_PRIVATE,
    GIVEN,
    GIVEN_COUNT,
    GRAINS,
    LAUNCH,
    LEAST_WORK,
    LOOKS,
    MODES,
    MOST_ROWS,
    MOST_WORDS,
    OF_A_GRAIN,
    PARTS,
    PARTS_FOR_EACH,
    POINT_SIZES,
    ROWS,
    SHARES_ALL,
    SHIFT_BYTES,
    SIG_BLOCK,
    SIG_SETMASK,
    SIGNAL_SET_WORDS,
    SLEEPERS,
    STARTED,
    THREADS,
    TICKET_BYTES,
    TICKETS,
    UNSHARED,
    VALUES,
    WORK_OF_PART,
    WORK_TO_WAKE,
    here,
)
from .intrinsics import (
    Word,
    add_seen,
    change_seen,
    float_modes,
    pause,
    seen,
    set_float_modes,
    show,
    store,
    word,
    words,
)
from .launches import launch
from .subset import INT, inlined, native


@native
def take_part(shared: Word, number: Word) -> Word:
    """Take a part of the launch that is shared; return its number, from 1, or 0 if none is left.

    A thread begins with the row that has its own number, and goes on with what others have left.
    """
    # It may be that of a launch that has ended: then there is nothing to take, or of a newer one.
    rows = seen(shared, ROWS)
    index = 0
    while index < rows:
        row = number + index
        row = row - row // rows * rows
        at = shared + TICKETS + row * TICKET_BYTES
        ticket = seen(at, 0)
        while ticket & INT != 0:
            if change_seen(at, 0, ticket, ticket - 1):
                # Here rows are those of the launch that the part is of: it ends behind the part.
                return (row + 1) * word(shared, PARTS) // word(shared, ROWS) - (ticket & INT) + 1
            ticket = seen(at, 0)
        index = index + 1
    return 0


@native
def run_part(shared: Word, part: Word) -> Word:
    """Make a part of the launch that is shared: with a smaller size, and further on.

    Parts differ by one grain at most.
    """
    count = word(shared, GIVEN_COUNT)
    given = word(shared, GIVEN)
    block = words(MOST_WORDS)
    index = 0
    while index < count:
        store(block, index * 8, word(given, index * 8))
        index = index + 1
    cut = word(shared, ALONG)
    grain = word(shared, OF_A_GRAIN)
    grains = word(shared, GRAINS)
    parts = word(shared, PARTS)
    first = part * grains // parts * grain
    size = (part + 1) * grains // parts * grain - first
    if word(shared, VALUES) - first < size:
        size = word(shared, VALUES) - first
    store(block, word(cut, CUT_EXTENT) * 8, size)
    shifts = word(cut, CUT_SHIFTS)
    at = cut + FIRST_SHIFT
    while shifts > 0:
        step = word(at, 16)
        stride = word(at, 8)
        if stride >= 0:
            step = step * word(given, stride * 8)
        offset = word(at) * 8
        store(block, offset, word(block, offset) + first * step)
        at = at + SHIFT_BYTES
        shifts = shifts - 1
    launch(word(shared, FUNCTION), block, count)
    add_seen(shared, DONE, 1)
    return 0


@native
def work(number: Word) -> Word:
    """Take parts of launches for ever: what thread `number` does; number 0 is who calls."""
    shared = here.shared
    while 1:
        looks = 0
        launch_seen = 0
        while looks < LOOKS:
            part = 0
            launch_seen = seen(shared, LAUNCH)
            if number < seen(shared, THREADS):
                part = take_part(shared, number)
            if part != 0:
                set_float_modes(word(shared, MODES))
                run_part(shared, part - 1)
                looks = 0
            else:
                pause()
                looks = looks + 1
        add_seen(shared, SLEEPERS, 1)
        # It returns at once if there is another launch by now.
        here.syscall(FUTEX, shared + LAUNCH, FUTEX_WAIT_PRIVATE, launch_seen, 0, 0, 0)
        add_seen(shared, SLEEPERS, -1)
    return 0


@native
def start_threads(shared: Word, wanted: Word) -> Word:
    """Start threads until there are so many; where the system refuses one, there are fewer."""
    all_signals = words(SIGNAL_SET_WORDS)
    before = words(SIGNAL_SET_WORDS)
    index = 0
    while index < SIGNAL_SET_WORDS:
        store(all_signals, index * 8, -1)
        index = index + 1
    thread = words(1)
    here.pthread_sigmask(SIG_BLOCK, all_signals, before)
    started = word(shared, STARTED)
    while started < wanted:
        if here.pthread_create(thread, 0, work, started + 1) & INT != 0:
            show(shared, THREADS, started + 1)
            break
        here.pthread_detach(word(thread))
        started = started + 1
    store(shared, STARTED, started)
    here.pthread_sigmask(SIG_SETMASK, before, 0)
    return 0


@inlined
def is_worth_sharing(shared: Word, threads: Word, amount: Word) -> Word:
    """Whether a launch takes so long that others should take part."""
    if word(shared, SHARES_ALL):
        return 1
    if amount < word(shared, LEAST_WORK):
        return 0
    if amount >= word(shared, WORK_TO_WAKE):
        return 1
    if word(shared, STARTED) >= threads - 1 and seen(shared, SLEEPERS) == 0:
        return 1
    amount = amount + word(shared, UNSHARED)
    store(shared, UNSHARED, amount)
    return amount >= word(shared, WORK_TO_WAKE) * 2


@inlined
def work_of(block: Word, cuts: Word) -> Word:
    """Return how much work a launch is."""
    amount = word(cuts, COST)
    sizes = word(cuts, POINT_SIZES)
    at = cuts + FIRST_SIZE
    while sizes > 0:
        amount = amount * word(block, word(at) * 8)
        at = at + 8
        sizes = sizes - 1
    return amount


@inlined
def best_cut(block: Word, cuts: Word, parts: Word, threads: Word) -> Word:
    """Return along what to cut: the first size that gives so many parts, else what gives most.

    Fewer are enough where all threads get as many.
    """
    even = threads * EVEN_PARTS_FOR_EACH
    count = word(cuts, CUTS)
    at = cuts + FIRST_SIZE + word(cuts, POINT_SIZES) * 8
    best = at
    most = 0
    while count > 0:
        extent = word(block, word(at, CUT_EXTENT) * 8)
        possible = (extent + word(at, CUT_GRAIN) - 1) // word(at, CUT_GRAIN)
        if possible > most:
            most = possible
            best = at
            if possible >= parts:
                break
            if possible >= even and possible // threads * threads == possible:
                break
        at = at + FIRST_SHIFT + word(at, CUT_SHIFTS) * SHIFT_BYTES
        count = count - 1
    return best


@inlined
def offer_parts(shared: Word, threads: Word, parts: Word) -> Word:
    """Let parts be taken, in as many rows as there are threads."""
    rows = threads
    if rows > MOST_ROWS:
        rows = MOST_ROWS
    show(shared, ROWS, rows)
    number = (seen(shared, LAUNCH) + 1) & INT
    row = 0
    while row < rows:
        count = (row + 1) * parts // rows - row * parts // rows
        show(shared, TICKETS + row * TICKET_BYTES, (number << 32) | count)
        row = row + 1
    show(shared, LAUNCH, number)
    return 0


@native
def share(function: Word, block: Word, count: Word, cuts: Word) -> Word:
    """Make a launch together with other threads; return 0 if the caller should make it alone.

    The words of the launch lie at `block`; what of it may be cut lies at `cuts`.
    """
    shared = here.shared
    threads = word(shared, THREADS)
    if threads < 2:
        return 0
    amount = work_of(block, cuts)
    if not is_worth_sharing(shared, threads, amount):
        return 0
    parts = amount // word(shared, WORK_OF_PART)
    if parts > threads * PARTS_FOR_EACH or word(shared, SHARES_ALL):
        parts = threads * PARTS_FOR_EACH
    cut = best_cut(block, cuts, parts, threads)
    grain = word(cut, CUT_GRAIN)
    if word(shared, SHARES_ALL):
        grain = 1
    elif parts > threads * word(cut, CUT_PARTS):
        parts = threads * word(cut, CUT_PARTS)
    extent = word(block, word(cut, CUT_EXTENT) * 8)
    grains = (extent + grain - 1) // grain
    if parts > grains:
        parts = grains
    if parts > threads:
        parts = parts // threads * threads
    if parts < 2 or not change_seen(shared, BUSY, 0, 1):
        return 0
    store(shared, UNSHARED, 0)
    if word(shared, STARTED) < threads - 1:
        start_threads(shared, threads - 1)
    store(shared, FUNCTION, function)
    store(shared, GIVEN, block)
    store(shared, GIVEN_COUNT, count)
    store(shared, ALONG, cut)
    store(shared, VALUES, extent)
    store(shared, OF_A_GRAIN, grain)
    store(shared, GRAINS, grains)
    store(shared, PARTS, parts)
    store(shared, MODES, float_modes())
    show(shared, DONE, 0)
    offer_parts(shared, threads, parts)
    if seen(shared, SLEEPERS) > 0:
        here.syscall(FUTEX, shared + LAUNCH, FUTEX_WAKE_PRIVATE, word(shared, STARTED), 0, 0, 0)
    part = take_part(shared, 0)
    while part != 0:
        run_part(shared, part - 1)
        part = take_part(shared, 0)
    looks = 0
    while seen(shared, DONE) != parts:
        pause()
        looks = looks + 1
        if looks > LOOKS:
            here.sched_yield()
    show(shared, BUSY, 0)
    return 1
