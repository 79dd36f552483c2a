-- +goose Up
-- Entries of a move. norns of before that write meanwhile wait until it's made.
CREATE INDEX entries_move ON entries (table_id, move, seq) WHERE move <> '';

-- A cache of what norn makes of entries: what a crash leaves of it is thrown away by PostgreSQL, and nothing is lost.
CREATE UNLOGGED TABLE snapshots (
    table_id text COLLATE "C" PRIMARY KEY,
    data     bytea NOT NULL
);
ALTER TABLE snapshots ALTER COLUMN data SET STORAGE EXTERNAL; -- it's packed already
