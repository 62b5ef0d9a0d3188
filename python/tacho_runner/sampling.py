"""The sampling loop: warm-up, choice of `number`, and samples until enough, by asv's rules."""

import time

NS = 1_000_000_000
# The factor by which `number` grows while a sample is still too short.
SLOWEST_GROWTH = 1.1
FASTEST_GROWTH = 10.0

wall_ns = time.perf_counter_ns


class Progress:
    """How many calls were made, and whether it is time to stop."""

    def __init__(self, plan):
        self.plan = plan
        self.n_calls = 0
        self.warm_at_ns = wall_ns() + plan.warmup_s * NS
        self.stop_at_ns = self.warm_at_ns + plan.max_time_s * NS

    def is_too_slow(self, n_samples):
        if self.n_calls < self.plan.min_run_count or n_samples < self.plan.min_repeat:
            return False
        return wall_ns() > self.stop_at_ns

    def sample(self, sampler, number):
        sample = sampler.sample(number)
        self.n_calls += number
        return sample


def take_samples(sampler, plan):
    """Returns the samples in nanoseconds and the number of calls in each."""
    progress = Progress(plan)
    number = plan.number
    last = None
    if number == 0:
        last, number = calibrate(sampler, progress)
    elif plan.warmup_s > 0:
        last = warm_up(sampler, progress, number)
    # A benchmark so slow that the warm-up used all its time keeps the sample it has.
    if last is not None and progress.is_too_slow(1):
        return [last], number
    samples = []
    while len(samples) < plan.max_repeat:
        samples.append(progress.sample(sampler, number))
        if progress.is_too_slow(len(samples)):
            break
    return samples, number


def calibrate(sampler, progress):
    """Finds a `number` whose sample is long enough, warming up at the same time.

    Both at once, because early calls can be slower and would lead to too small a number.
    """
    number = 1
    while True:
        sampler.keep_state()
        start_ns = wall_ns()
        sample = progress.sample(sampler, number)
        # The wall clock, too: the benchmark's own timer need not advance.
        seconds = max(wall_ns() - start_ns, sample) / NS
        if seconds < progress.plan.sample_time_s:
            number = larger(number, seconds, progress.plan.sample_time_s)
        elif wall_ns() > progress.warm_at_ns:
            return sample, number


def larger(number, seconds, wanted_s):
    growth = wanted_s / seconds if seconds > 0 else FASTEST_GROWTH
    growth = min(FASTEST_GROWTH, max(SLOWEST_GROWTH, growth))
    return max(number + 1, int(growth * number))


def warm_up(sampler, progress, number):
    """Takes samples that do not count until the warm-up is over; returns the last."""
    while True:
        if not sampler.renews_in_warmup:
            sampler.keep_state()
        sample = progress.sample(sampler, number)
        if wall_ns() >= progress.warm_at_ns:
            return sample
