-- +goose Up
-- Which entries belong to a move. Those that are there already are put in piece by piece, whenever the database is opened
-- before it's done; see index.go.
CREATE TABLE moves (
    table_id INTEGER NOT NULL,
    move     TEXT NOT NULL,
    seq      INTEGER NOT NULL,
    PRIMARY KEY (table_id, move, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE indexing (
    upto INTEGER NOT NULL, -- id of the last entry that was looked at
    last INTEGER NOT NULL  -- and of the last that is to be; there is no row once it's done
) STRICT;

INSERT INTO indexing (upto, last) SELECT 0, max(id) FROM entries HAVING max(id) > 0;

-- +goose StatementBegin
CREATE TRIGGER entries_move AFTER INSERT ON entries WHEN NEW.move <> ''
BEGIN
    INSERT INTO moves (table_id, move, seq) VALUES (NEW.table_id, NEW.move, NEW.seq);
END;
-- +goose StatementEnd

PRAGMA user_version = 3;
