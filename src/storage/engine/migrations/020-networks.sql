-- Networks that the token of a credential may come from, JSON; null: from anywhere. The scopes that it has there are in a
-- column of their own, and `scopes` is then empty: a release that does not know networks grants nothing.

ALTER TABLE credentials ADD COLUMN networks text;
ALTER TABLE credentials ADD COLUMN scopes_within text;
