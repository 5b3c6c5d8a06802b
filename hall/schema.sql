-- Everything the hall knows. The tables' journals are the truth about games: results can be filled in again from there.

CREATE TABLE IF NOT EXISTS hall (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    id text NOT NULL  -- another after every restore: tables then say their results again
);

CREATE TABLE IF NOT EXISTS tables (
    name text PRIMARY KEY,
    password text NOT NULL,  -- as Mosquitto's password file has it: salted and hashed
    invited timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz
);

-- One row a game, whatever is repeated, late or out of order: the highest seq of a table's word holds.
CREATE TABLE IF NOT EXISTS results (
    table_name text NOT NULL,
    game_id text NOT NULL,
    seq integer NOT NULL,
    said jsonb NOT NULL,      -- the table's last word
    corrected jsonb,          -- the organiser's, which holds when it is there
    received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, game_id)
);

-- Events with their players, rounds and pairings, each as one document (hall/event.py).
CREATE TABLE IF NOT EXISTS events (
    id text PRIMARY KEY,
    version integer NOT NULL,
    body jsonb              -- NULL: taken away; undo puts it back
);

-- Every act of the organiser, with what was before: the trail, and what undo works from.
CREATE TABLE IF NOT EXISTS trail (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    what text NOT NULL,
    kind text NOT NULL,     -- event, result, saying or table
    key text[] NOT NULL,    -- {event id}, {table, game id}, {topic} or {table}
    before jsonb,
    after jsonb,
    undoes bigint REFERENCES trail (id)
);

-- Halls made before a table could be sent away knew three kinds.
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'trail_kind_check') THEN
        ALTER TABLE trail DROP CONSTRAINT trail_kind_check;
    END IF;
END $$;

-- What the hall says and the brokers keep, by topic: calls, messages, pairings. Said again whenever a broker is back.
CREATE TABLE IF NOT EXISTS sayings (
    topic text PRIMARY KEY,
    payload jsonb NOT NULL
);
