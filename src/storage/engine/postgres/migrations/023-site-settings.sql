-- Settings of the site, which administrators change while the service runs. A value that was removed leaves its row:
-- each change then has a revision above all before.

CREATE TABLE site_settings (
  -- The name of its environment variable.
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  -- As the environment would have it; of a file its bytes, as a data URL. Null: not set here.
  value text COLLATE "C",
  revision bigint NOT NULL
);
