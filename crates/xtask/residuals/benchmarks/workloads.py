"""Small real workloads whose noise differs: processor, memory, files, processes, threads, sizes of objects."""

import array
import decimal
import gc
import hashlib
import json
import os
import random
import re
import sqlite3
import string
import subprocess
import sys
import tempfile
import threading
import zlib

WORDS = ["".join(random.Random(seed).choices(string.ascii_lowercase, k=8)) for seed in range(5000)]
NUMBERS = [random.Random(7).random() for _ in range(20000)]
TEXT = " ".join(WORDS)
BYTES = TEXT.encode()


def time_loop():
    total = 0
    for number in range(50000):
        total += number * number % 7
    return total


def time_sort_floats():
    return sorted(NUMBERS)


def time_sort_words():
    return sorted(WORDS)


def time_set_of_words():
    """Hashes of text differ from process to process."""
    return len(set(WORDS) & set(WORDS[::2]))


def time_dictionary():
    counts = {}
    for word in WORDS:
        counts[word[:3]] = counts.get(word[:3], 0) + 1
    return counts


def time_json_out():
    return json.dumps(NUMBERS)


def time_json_in(text=json.dumps(NUMBERS[:5000])):
    return json.loads(text)


def time_search(pattern=re.compile(r"([aeiou])[a-z]\1")):
    return len(pattern.findall(TEXT))


def time_compress():
    return zlib.compress(BYTES)


def time_digest():
    return hashlib.sha256(BYTES * 20).digest()


def time_decimal():
    return sum(decimal.Decimal(number) / 7 for number in range(1, 5000))


def time_big_integer():
    return pow(3, 40000) % 1000003


def time_many_objects():
    return [{"a": number} for number in range(20000)]


def time_collect():
    gc.collect()


def time_copy_32_mb(block=bytearray(32 << 20)):
    return bytes(block)


def time_walk_memory(block=array.array("l", range(1 << 20)), step=4099):
    """Each read is on another page."""
    at = total = 0
    for _ in range(20000):
        at = (at + step * 512) & 0xFFFFF
        total += block[at]
    return total


def time_write_file():
    with tempfile.TemporaryFile() as file:
        file.write(BYTES * 10)


def time_write_file_to_disk():
    with tempfile.TemporaryFile() as file:
        file.write(BYTES)
        file.flush()
        os.fsync(file.fileno())


def time_list_folder():
    return len(os.listdir(os.path.dirname(os.__file__)))


def time_start_process():
    subprocess.run(["true"], check=True)


def time_start_interpreter():
    subprocess.run([sys.executable, "-S", "-c", ""], check=True)


def time_threads():
    threads = [threading.Thread(target=sorted, args=(NUMBERS,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def time_hand_over():
    """Two threads take turns."""
    ping, pong = threading.Semaphore(0), threading.Semaphore(0)

    def answer():
        for _ in range(100):
            ping.acquire()
            pong.release()

    thread = threading.Thread(target=answer)
    thread.start()
    for _ in range(100):
        ping.release()
        pong.acquire()
    thread.join()


def time_database():
    with sqlite3.connect(":memory:") as database:
        database.execute("create table words (word text, size integer)")
        database.executemany("insert into words values (?, ?)", ((word, len(word)) for word in WORDS))
        return database.execute("select count(*) from words where word like '%ab%'").fetchone()


def time_import():
    return subprocess.run([sys.executable, "-c", "import email.parser"], check=True)


def peakmem_words():
    return [word * 100 for word in WORDS]
