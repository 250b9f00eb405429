-- Processes that serve the database. Each says every few seconds that it still runs.

CREATE TABLE running_processes (
  process_id text COLLATE "C" NOT NULL PRIMARY KEY,
  release text COLLATE "C" NOT NULL,
  -- The highest migration that it knows.
  knows bigint NOT NULL,
  machine text COLLATE "C" NOT NULL,
  pid bigint NOT NULL,
  started_at_ms bigint NOT NULL,
  -- By its own clock.
  seen_at_ms bigint NOT NULL
);
