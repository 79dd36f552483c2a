-- +goose Up
PRAGMA application_id = 1852797550; -- "norn" in ASCII

CREATE TABLE tables (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE entries (
    id       INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seq      INTEGER NOT NULL CHECK (seq > 0),
    at       INTEGER NOT NULL, -- microseconds since 1970, UTC
    seat     TEXT NOT NULL,
    move     TEXT NOT NULL,
    key      TEXT NOT NULL,
    body     BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX entries_seq ON entries (table_id, seq);
CREATE UNIQUE INDEX entries_key ON entries (table_id, seat, key) WHERE key <> '';

-- +goose StatementBegin
CREATE TRIGGER entries_keep_update BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'entries are never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER entries_keep_delete BEFORE DELETE ON entries
BEGIN
    SELECT RAISE(ABORT, 'entries are never removed');
END;
-- +goose StatementEnd

PRAGMA user_version = 1;
