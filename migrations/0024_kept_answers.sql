CREATE TABLE `kept_answers` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`claimed_until` integer NOT NULL,
	`answer_sealed` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `kept_answers_by_age` ON `kept_answers` (`created_at`);