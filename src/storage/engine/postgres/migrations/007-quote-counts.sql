-- How many quotes a credential has had on a day, for the bound on them; days since 1970-01-01, UTC. Two days are kept.

CREATE TABLE quote_counts (
  day bigint NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  quotes bigint NOT NULL,
  PRIMARY KEY (day, credential_id)
);
