-- Which history a revision counts: each write transaction puts a random stamp beside the revision that it takes, and the
-- last ones are kept. A process that remembers a pair which is not here any more has followed another history. Releases
-- that know no stamps write none: a revision without one belongs to the history of the newest stamp below it.
CREATE TABLE revision_stamps (
  revision bigint PRIMARY KEY,
  stamp text COLLATE "C" NOT NULL
);
INSERT INTO revision_stamps (revision, stamp) SELECT revision, gen_random_uuid()::text FROM revision;
