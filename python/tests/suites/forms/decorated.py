"""The decorators of `asv_runner.benchmarks.mark`."""

from asv_runner.benchmarks.mark import (
    SkipNotImplemented,
    benchmark,
    parameterize,
    skip_benchmark,
    skip_benchmark_if,
    skip_for_params,
    skip_params_if,
    timeout_at,
)


@skip_benchmark
def time_left_out():
    pass


@skip_benchmark_if(True)
def time_left_out_here():
    pass


@skip_benchmark_if(False)
def time_kept():
    pass


@parameterize({"n": [1, 2]})
def time_one_parameter(n):
    pass


@parameterize({"n": [1, 2], "kind": ["a"]})
@timeout_at(7)
def time_two_parameters(n, kind):
    pass


@benchmark(pretty_name="Marked", number=5, rounds=1)
def time_marked():
    pass


@benchmark(env={"A": "1"})
def timeraw_marked():
    return "pass"


@timeout_at(3)
@parameterize({"n": [1, 2, 3]})
class Decorated:
    def setup(self, n):
        self.n = n

    @skip_for_params([(1,)])
    def track_some(self, n):
        return n

    @skip_params_if([(2,)], True)
    def track_others(self, n):
        return n

    @skip_params_if([(2,)], False)
    def track_all(self, n):
        return n

    @skip_benchmark
    def track_none(self, n):
        return n

    def track_raising(self, n):
        if n == 2:
            raise SkipNotImplemented("two is not supported")
        return n
