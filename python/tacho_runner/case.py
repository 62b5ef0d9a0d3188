"""One case of a benchmark while it is measured: its arguments, set-up and tear-down."""

import types

from .errors import Skipped, text_of


class Case:
    """A benchmark with the values of one case, and its cache if it has one."""

    def __init__(self, definition, values, cache, overrides):
        self.definition = definition
        self.values = values
        # A cache function that returned None gives its benchmarks no argument.
        self.arguments = values if cache is None else (cache,) + values
        self.sources = [overrides] + definition.sources
        self.is_fresh = True
        self._loop = None

    def refuse_if_declared_skipped(self):
        if self.values in self.definition.skipped_values:
            raise Skipped("these parameters are in the benchmark's skip_params")

    def set_up(self):
        try:
            for setup in self.definition.setups:
                self.call(setup)
        except NotImplementedError as error:
            raise Skipped(text_of(error) or "set-up raised NotImplementedError") from error
        self.is_fresh = True

    def tear_down(self):
        for teardown in self.definition.teardowns:
            self.call(teardown)

    def renew(self):
        """Tears down and sets up again, unless nothing has used the present set-up yet."""
        if self.is_fresh:
            self.is_fresh = False
            return
        self.tear_down()
        self.set_up()
        self.is_fresh = False

    def call_benchmark(self):
        return self.call(self.definition.function)

    def call(self, function):
        """Calls a function of the suite, and waits for it if it is `async`."""
        result = function(*self.arguments)
        return self.wait_for(result) if isinstance(result, types.CoroutineType) else result

    def wait_for(self, coroutine):
        """Runs a coroutine in the case's event loop, which its set-up and tear-down share."""
        if self._loop is None:
            import asyncio

            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(coroutine)
