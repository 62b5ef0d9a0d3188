"""Where another program finds changes in each of the series on standard input, and the processor time that takes."""

import json
import sys
import time


def otava(values):
    from otava.analysis import compute_change_points

    return [point.index for point in compute_change_points(values)[0]]


def asv(values):
    from asv.step_detect import detect_steps

    return [step[0] for step in detect_steps(values)[1:]]


def main():
    find = {"otava": otava, "asv": asv}[sys.argv[1]]
    all_series = json.load(sys.stdin)
    find(all_series[0])
    began = time.process_time()
    places = [[int(place) for place in find(values)] for values in all_series]
    json.dump({"places": places, "cpu_s": time.process_time() - began}, sys.stdout)


if __name__ == "__main__":
    main()
