-- +goose Up
-- Which tables were deleted. A norn of before doesn't look here.
CREATE TABLE deletions (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id text COLLATE "C" NOT NULL,
    entries  bigint NOT NULL,
    at       timestamptz NOT NULL
);

CREATE INDEX deletions_table ON deletions (table_id);

-- Only a transaction of norn that deletes or blanks sets norn.erasing.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION entries_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' OR coalesce(current_setting('norn.erasing', true), '') <> 'on' THEN
        RAISE EXCEPTION 'entries are never changed or removed';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
