CREATE TABLE `unverified_bounces` (
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`words` text NOT NULL,
	`log_id` text,
	`reports` integer DEFAULT 1 NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `email`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `unverified_bounces_by_age` ON `unverified_bounces` (`project_id`,`last_seen_at`);--> statement-breakpoint
ALTER TABLE `project_counters` ADD `unproven_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `project_counters` ADD `unproven_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `project_counters` ADD `unproven_claim` text DEFAULT '' NOT NULL;