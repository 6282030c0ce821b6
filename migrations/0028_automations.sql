CREATE TABLE `automation_counts` (
	`automation_id` text NOT NULL,
	`version` integer NOT NULL,
	`step` text NOT NULL,
	`what` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`automation_id`, `version`, `step`, `what`)
) WITHOUT ROWID;

CREATE TABLE `automation_runs` (
	`automation_id` text NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`version` integer NOT NULL,
	`step` text NOT NULL,
	`moves` integer NOT NULL,
	`due_at` integer,
	`waits_for` text,
	`heard` text,
	`goal_met` integer NOT NULL,
	`data` text,
	`mails` text NOT NULL,
	`entered_at` integer NOT NULL,
	`moved_at` integer NOT NULL,
	`ended_at` integer,
	`outcome` text,
	PRIMARY KEY(`automation_id`, `id`)
) WITHOUT ROWID;

CREATE INDEX `automation_runs_by_person` ON `automation_runs` (`subscriber_id`,`automation_id`,`id`);
CREATE INDEX `automation_runs_by_due` ON `automation_runs` (`automation_id`,`due_at`) WHERE due_at is not null;
CREATE TABLE `automation_versions` (
	`automation_id` text NOT NULL,
	`version` integer NOT NULL,
	`project_id` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	`moves_on` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`automation_id`, `version`)
) WITHOUT ROWID;

CREATE TABLE `automations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`trigger_type` text NOT NULL,
	`trigger_key` text NOT NULL,
	`goal_event` text,
	`reentry_ms` integer,
	`reasons` text,
	`looked_at` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`started_at` integer
) WITHOUT ROWID;

CREATE INDEX `automations_by_project` ON `automations` (`project_id`,`id`);
CREATE INDEX `automations_by_trigger` ON `automations` (`state`,`project_id`,`trigger_type`,`trigger_key`);
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`received_at` integer NOT NULL
);

CREATE INDEX `events_by_person` ON `events` (`project_id`,`subscriber_id`,`name`,`occurred_at`);
ALTER TABLE `broadcast_chunks` ADD `page` text DEFAULT '' NOT NULL;
ALTER TABLE `broadcasts` ADD `automation_id` text;
ALTER TABLE `broadcasts` ADD `automation_version` integer;
ALTER TABLE `broadcasts` ADD `step_id` text;
CREATE INDEX `broadcasts_of_automations` ON `broadcasts` (`automation_id`,`automation_version`) WHERE automation_id is not null;

-- What causes entries, in the transaction of its cause. A row of this view is a fact about a person:
-- a type and key of a trigger, the time, and the data of an event.
CREATE VIEW `automation_entries` AS
SELECT '' AS `project_id`, '' AS `type`, '' AS `key`, '' AS `subscriber_id`, 0 AS `at`, NULL AS `data` WHERE 0;

-- An entry starts a run of each active automation with this trigger, unless the person is inside or
-- may not enter again yet. The id is a UUIDv7.
CREATE TRIGGER `entries_start_runs` INSTEAD OF INSERT ON `automation_entries` BEGIN
	INSERT INTO automation_runs (automation_id, id, project_id, subscriber_id, version, step, moves, due_at, goal_met, data, mails, entered_at, moved_at)
	SELECT a.id,
		lower(printf('%08x-%04x-7%s-%s%s-%s', NEW.at >> 16, NEW.at & 65535, substr(hex(randomblob(2)), 2),
			substr('89ab', 1 + (random() & 3), 1), substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
		a.project_id, NEW.subscriber_id, a.version, '', 0, NEW.at, 0, NEW.data, '[]', NEW.at, NEW.at
	FROM automations a
	WHERE a.state = 'active' AND a.project_id = NEW.project_id AND a.trigger_type = NEW.type AND a.trigger_key = NEW.key
		AND NOT EXISTS (SELECT 1 FROM automation_runs r WHERE r.subscriber_id = NEW.subscriber_id AND +r.automation_id = a.id
			AND (a.reentry_ms IS NULL OR r.ended_at IS NULL OR r.ended_at > NEW.at - a.reentry_ms));
END;

CREATE TRIGGER `events_reach_automations` AFTER INSERT ON `events` BEGIN
	INSERT INTO automation_entries VALUES (NEW.project_id, 'event', NEW.name, NEW.subscriber_id, NEW.received_at, NEW.data);
	UPDATE automation_runs SET due_at = NEW.received_at, heard = NEW.name
		WHERE subscriber_id = NEW.subscriber_id AND ended_at IS NULL AND waits_for = NEW.name;
	UPDATE automation_runs SET due_at = NEW.received_at, goal_met = 1
		WHERE subscriber_id = NEW.subscriber_id AND ended_at IS NULL AND goal_met = 0
			AND NOT (step = '' AND entered_at = NEW.received_at)
			AND automation_id IN (SELECT id FROM automations WHERE state IN ('active', 'paused')
				AND project_id = NEW.project_id AND goal_event = NEW.name);
END;

CREATE TRIGGER `new_subscribers_enter` AFTER INSERT ON `subscribers`
WHEN NEW.status <> 'unsubscribed' AND NEW.import_id IS NULL BEGIN
	INSERT INTO automation_entries VALUES (NEW.project_id, 'joined', '', NEW.id, NEW.created_at, NULL);
	INSERT INTO automation_entries
		SELECT NEW.project_id, 'tag_added', value, NEW.id, NEW.created_at, NULL FROM json_each(NEW.tags);
END;

CREATE TRIGGER `retagged_subscribers_enter` AFTER UPDATE OF `tags` ON `subscribers`
WHEN NEW.tags <> OLD.tags AND NEW.import_id IS OLD.import_id BEGIN
	INSERT INTO automation_entries
		SELECT NEW.project_id, 'tag_added', value, NEW.id, NEW.updated_at, NULL FROM json_each(NEW.tags)
			WHERE value NOT IN (SELECT value FROM json_each(OLD.tags));
	INSERT INTO automation_entries
		SELECT NEW.project_id, 'tag_removed', value, NEW.id, NEW.updated_at, NULL FROM json_each(OLD.tags)
			WHERE value NOT IN (SELECT value FROM json_each(NEW.tags));
END;

-- Whoever confirms or comes back enters. A run that waits for the confirmation goes on, and one of
-- somebody who has left ends at its next move.
CREATE TRIGGER `changed_statuses_reach_automations` AFTER UPDATE OF `status` ON `subscribers`
WHEN NEW.status <> OLD.status BEGIN
	INSERT INTO automation_entries
		SELECT NEW.project_id, iif(OLD.status = 'pending', 'confirmed', 'joined'), '', NEW.id, NEW.updated_at, NULL
			WHERE NEW.status = 'active' OR (NEW.status = 'pending' AND OLD.status = 'unsubscribed');
	UPDATE automation_runs SET due_at = NEW.updated_at
		WHERE subscriber_id = NEW.id AND ended_at IS NULL AND (due_at IS NULL OR NEW.status = 'unsubscribed');
END;

CREATE TRIGGER `new_consents_enter` AFTER INSERT ON `topic_consents`
WHEN NEW.state = 'subscribed' AND NEW."by" <> 'import' BEGIN
	INSERT INTO automation_entries
		SELECT project_id, 'topic', id, NEW.subscriber_id, NEW.since, NULL FROM topics WHERE id = NEW.topic_id;
END;

CREATE TRIGGER `renewed_consents_enter` AFTER UPDATE OF `state` ON `topic_consents`
WHEN NEW.state = 'subscribed' AND OLD.state <> 'subscribed' AND NEW."by" <> 'import' BEGIN
	INSERT INTO automation_entries
		SELECT project_id, 'topic', id, NEW.subscriber_id, NEW.since, NULL FROM topics WHERE id = NEW.topic_id;
END;
