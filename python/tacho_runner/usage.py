"""What the operating system counts for a process anyway: the `observed` field of a reply."""

import sys

try:
    import resource
except ImportError:  # Not a POSIX system.
    resource = None


def observed(usage, since=None):
    """Returns the counts of a usage record, those of an earlier record taken off."""
    if usage is None:
        return {}

    def spent(field):
        return getattr(usage, field) - (getattr(since, field) if since else 0)

    return {
        "cpu_user_s": round(spent("ru_utime"), 6),
        "cpu_system_s": round(spent("ru_stime"), 6),
        "max_rss_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "minor_faults": spent("ru_minflt"),
        "major_faults": spent("ru_majflt"),
        "voluntary_switches": spent("ru_nvcsw"),
        "involuntary_switches": spent("ru_nivcsw"),
    }


def of_this_process():
    return resource.getrusage(resource.RUSAGE_SELF) if resource else None
