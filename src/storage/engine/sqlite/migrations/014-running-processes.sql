-- Processes that serve the database. Each says every few seconds that it still runs.

CREATE TABLE running_processes (
  process_id TEXT NOT NULL PRIMARY KEY,
  release TEXT NOT NULL,
  -- The highest migration that it knows.
  knows INTEGER NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  -- By its own clock.
  seen_at_ms INTEGER NOT NULL
) STRICT;
