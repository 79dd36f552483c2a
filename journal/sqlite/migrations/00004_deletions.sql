-- +goose Up
-- Which tables were deleted, and how many entries they had: the ids of entries have a gap there.
CREATE TABLE deletions (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    entries INTEGER NOT NULL,
    at      INTEGER NOT NULL -- microseconds since 1970, UTC
) STRICT;

-- The table whose entries norn removes or blanks in this transaction; otherwise there is no row.
CREATE TABLE erasing (
    table_id INTEGER NOT NULL
) STRICT;

DROP TRIGGER entries_keep_update;
DROP TRIGGER entries_keep_delete;

-- +goose StatementBegin
CREATE TRIGGER entries_keep_update BEFORE UPDATE ON entries WHEN OLD.table_id NOT IN (SELECT table_id FROM erasing)
BEGIN
    SELECT RAISE(ABORT, 'entries are never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER entries_keep_delete BEFORE DELETE ON entries WHEN OLD.table_id NOT IN (SELECT table_id FROM erasing)
BEGIN
    SELECT RAISE(ABORT, 'entries are never removed');
END;
-- +goose StatementEnd

PRAGMA user_version = 4;
