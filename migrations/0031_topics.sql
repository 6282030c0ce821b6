CREATE TABLE `consent_events` (
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`id` text NOT NULL,
	`topic_id` text,
	`topic_name` text,
	`action` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL,
	`ip_address` text NOT NULL,
	`user_agent` text NOT NULL,
	`form_text` text NOT NULL,
	PRIMARY KEY(`project_id`, `subscriber_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `topic_consents` (
	`topic_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`by` text NOT NULL,
	PRIMARY KEY(`topic_id`, `subscriber_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `topic_purges` (
	`topic_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `topics` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `topics_by_name` ON `topics` (`project_id`,`name`);--> statement-breakpoint
ALTER TABLE `projects` ADD `audience_settings` text;