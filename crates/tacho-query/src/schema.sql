CREATE TABLE facts_of_index (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- What was measured.
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    date_us INTEGER,
    position INTEGER,
    on_line INTEGER,
    UNIQUE (kind, subject)
);

-- Where: a machine and the values of its axes.
CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    machine TEXT NOT NULL,
    environment TEXT NOT NULL,
    UNIQUE (machine, environment)
);

-- A subject at a place: all its runs as one.
CREATE TABLE cells (
    id INTEGER PRIMARY KEY,
    subject_id INTEGER NOT NULL REFERENCES subjects (id),
    place_id INTEGER NOT NULL REFERENCES places (id),
    started_us INTEGER NOT NULL,
    record TEXT,
    source TEXT NOT NULL DEFAULT '',
    n_runs INTEGER NOT NULL DEFAULT 0,
    project TEXT NOT NULL DEFAULT '',
    branch TEXT,
    environment_label TEXT NOT NULL DEFAULT '',
    machine_facts TEXT NOT NULL DEFAULT '{}',
    packages TEXT NOT NULL DEFAULT '{}',
    setup TEXT NOT NULL DEFAULT '{}',
    tool_version TEXT NOT NULL DEFAULT '',
    quick INTEGER NOT NULL DEFAULT 0,
    complete INTEGER NOT NULL DEFAULT 1,
    build_failure TEXT,
    is_stale INTEGER NOT NULL DEFAULT 1,
    UNIQUE (subject_id, place_id)
);
CREATE INDEX stale_cells ON cells (id) WHERE is_stale;

-- The files that were read.
CREATE TABLE sources (
    path TEXT PRIMARY KEY,
    n_bytes INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    -- What else decides how the file is read.
    beside INTEGER NOT NULL,
    digest TEXT,
    cell_id INTEGER REFERENCES cells (id),
    -- The date of its subject, where the file knows it.
    date_us INTEGER,
    reason TEXT,
    -- The run whose record says all that the file does.
    hidden_by TEXT,
    -- The runs whose records would say all that the file does, as a JSON list.
    exported_from TEXT
) WITHOUT ROWID;
CREATE INDEX sources_of_cell ON sources (cell_id) WHERE cell_id IS NOT NULL;

CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    benchmark TEXT NOT NULL,
    parameter_texts TEXT NOT NULL,
    metric TEXT NOT NULL,
    place_id INTEGER NOT NULL REFERENCES places (id),
    -- The newest one.
    definition_id INTEGER,
    defined_by INTEGER,
    UNIQUE (benchmark, parameter_texts, metric, place_id)
);
CREATE INDEX series_of_place ON series (place_id);

-- What a series was declared to be, and how it was measured.
CREATE TABLE definitions (
    id INTEGER PRIMARY KEY,
    series_id INTEGER NOT NULL REFERENCES series (id),
    case_index INTEGER NOT NULL,
    parameters TEXT NOT NULL,
    unit TEXT NOT NULL,
    direction TEXT NOT NULL,
    exact INTEGER NOT NULL,
    version TEXT NOT NULL,
    method TEXT NOT NULL,
    UNIQUE (series_id, case_index, parameters, unit, direction, exact, version, method)
);

-- The points of a series lie together.
CREATE TABLE points (
    series_id INTEGER NOT NULL,
    cell_id INTEGER NOT NULL,
    definition_id INTEGER NOT NULL,
    state INTEGER NOT NULL,
    n_samples INTEGER NOT NULL,
    value REAL,
    spread REAL,
    lower REAL,
    upper REAL,
    message TEXT,
    PRIMARY KEY (series_id, cell_id)
) WITHOUT ROWID;

CREATE VIEW results AS SELECT
    s.benchmark AS benchmark,
    n.parameters AS parameters,
    s.metric AS metric,
    d.unit AS unit,
    n.direction AS direction,
    w.machine AS machine,
    w.environment AS environment,
    j.kind AS subject_kind,
    CASE j.kind WHEN 'date' THEN strftime('%Y-%m-%dT%H:%M:%SZ', j.date_us / 1000000, 'unixepoch') ELSE j.subject END AS subject,
    strftime('%Y-%m-%dT%H:%M:%SZ', j.date_us / 1000000, 'unixepoch') AS subject_time,
    CASE j.kind WHEN 'commit' THEN j.subject END AS "commit",
    CASE j.kind WHEN 'commit' THEN strftime('%Y-%m-%dT%H:%M:%SZ', j.date_us / 1000000, 'unixepoch') END AS commit_date,
    j.position AS position,
    j.on_line AS on_line,
    p.value AS value,
    p.lower AS lower,
    p.upper AS upper,
    p.spread AS spread,
    p.n_samples AS n_samples,
    CASE p.state WHEN 0 THEN 'measured' WHEN 1 THEN 'skipped' WHEN 2 THEN 'not_run' WHEN 3 THEN 'failed'
        WHEN 4 THEN 'timed_out' ELSE 'killed' END AS outcome,
    p.message AS message,
    nullif(d.version, '') AS version,
    nullif(d.method, '') AS method,
    c.record AS record,
    c.source AS source,
    c.n_runs AS n_runs,
    strftime('%Y-%m-%dT%H:%M:%SZ', c.started_us / 1000000, 'unixepoch') AS started_at,
    c.project AS project,
    c.branch AS branch,
    c.environment_label AS environment_label,
    c.machine_facts AS machine_facts,
    c.packages AS packages,
    c.setup AS setup,
    c.tool_version AS tool_version,
    c.quick AS quick,
    c.complete AS complete,
    s.id AS series_id,
    d.case_index AS case_index
FROM points p
JOIN series s ON s.id = p.series_id
JOIN cells c ON c.id = p.cell_id
JOIN places w ON w.id = s.place_id
JOIN subjects j ON j.id = c.subject_id
JOIN definitions d ON d.id = p.definition_id
JOIN definitions n ON n.id = s.definition_id;
