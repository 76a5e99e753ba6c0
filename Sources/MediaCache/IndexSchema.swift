/// The tables of the index. Another `version` makes the index anew: what it holds can be told from the disk.
enum IndexSchema {
    static let version: Int64 = 2

    /// `container` keeps the sums that status shows; the triggers make them exact whatever changes `object`.
    /// `object` is a file (without a width where nothing but the file is known: it counts and serves nobody), with how
    /// many pins it has; `source` is what a key last gave, `pin` a live manifest's hold on an object.
    static let sql = """
        CREATE TABLE container (
            name TEXT PRIMARY KEY, objects INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE object (
            container TEXT NOT NULL REFERENCES container (name), content TEXT NOT NULL, type TEXT NOT NULL,
            bytes INTEGER NOT NULL, width INTEGER, height INTEGER, frames INTEGER,
            modified_at INTEGER NOT NULL, used_at INTEGER NOT NULL, pins INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (content, container, type)
        ) WITHOUT ROWID;
        CREATE INDEX unpinned_object ON object (used_at) WHERE pins = 0;
        CREATE TABLE source (
            key TEXT PRIMARY KEY, content TEXT NOT NULL, etag TEXT, last_modified TEXT,
            obtained_at INTEGER NOT NULL, fresh_until INTEGER NOT NULL, reusable INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX source_by_content ON source (content);
        CREATE TABLE pin (
            container TEXT NOT NULL, story TEXT NOT NULL, content TEXT NOT NULL,
            PRIMARY KEY (container, story, content)
        ) WITHOUT ROWID;
        CREATE INDEX pin_by_content ON pin (content, container);
        CREATE TRIGGER object_added AFTER INSERT ON object BEGIN
            UPDATE container SET objects = objects + 1, bytes = bytes + NEW.bytes WHERE name = NEW.container;
            UPDATE object SET pins =
                (SELECT count(*) FROM pin WHERE content = NEW.content AND container = NEW.container)
                WHERE content = NEW.content AND container = NEW.container AND type = NEW.type;
        END;
        CREATE TRIGGER object_resized AFTER UPDATE OF bytes ON object BEGIN
            UPDATE container SET bytes = bytes + NEW.bytes - OLD.bytes WHERE name = NEW.container;
        END;
        CREATE TRIGGER object_removed AFTER DELETE ON object BEGIN
            UPDATE container SET objects = objects - 1, bytes = bytes - OLD.bytes WHERE name = OLD.container;
        END;
        CREATE TRIGGER pin_added AFTER INSERT ON pin BEGIN
            UPDATE object SET pins = pins + 1 WHERE content = NEW.content AND container = NEW.container;
        END;
        CREATE TRIGGER pin_removed AFTER DELETE ON pin BEGIN
            UPDATE object SET pins = pins - 1 WHERE content = OLD.content AND container = OLD.container;
        END;
        PRAGMA user_version = \(version);
        """
}
