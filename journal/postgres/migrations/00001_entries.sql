-- +goose Up
-- Every key begins with the table's id, so that both tables can be partitioned by its hash one day.

CREATE TABLE tables (
    id   text COLLATE "C" PRIMARY KEY,
    head bigint NOT NULL CHECK (head >= 0), -- seq of the last entry; its row is locked by who appends
    at   timestamptz NOT NULL               -- time of the last entry
);

CREATE TABLE entries (
    table_id text COLLATE "C" NOT NULL REFERENCES tables (id),
    seq      bigint NOT NULL CHECK (seq > 0),
    at       timestamptz NOT NULL,
    seat     text COLLATE "C" NOT NULL,
    move     text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    body     bytea NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE UNIQUE INDEX entries_key ON entries (table_id, seat, key) WHERE key <> '';

-- +goose StatementBegin
CREATE FUNCTION entries_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries are never changed or removed';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION entries_keep();
