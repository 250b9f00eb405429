-- How many quotes a credential has had on a day, for the bound on them; days since 1970-01-01, UTC. Two days are kept.

CREATE TABLE quote_counts (
  day INTEGER NOT NULL,
  credential_id TEXT NOT NULL,
  quotes INTEGER NOT NULL,
  PRIMARY KEY (day, credential_id)
) STRICT, WITHOUT ROWID;
