-- +goose Up
-- Which database this is. A copy that norn makes, or that is put where another was, gets a new one.
CREATE TABLE identity (
    id TEXT NOT NULL
) STRICT;

INSERT INTO identity (id) VALUES (lower(hex(randomblob(16))));

PRAGMA user_version = 2;
