CREATE TABLE `log_entries` (
	`id` blob PRIMARY KEY NOT NULL,
	`project_id` blob NOT NULL,
	`subscriber_id` blob,
	`template_id` blob,
	`broadcast_id` blob,
	`to_email` text NOT NULL,
	`subject` text,
	`status` integer NOT NULL,
	`error` text,
	`reason` text,
	`tags` text,
	`copies` text,
	`sent_at` integer NOT NULL,
	`opened_at` integer,
	`clicked_at` integer,
	`opened_class` text,
	`opened_user_agent` text,
	`opened_ip` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `log_entries_by_status` ON `log_entries` (`project_id`,`status`,`sent_at`);--> statement-breakpoint
CREATE INDEX `log_entries_by_recipient` ON `log_entries` (`project_id`,`to_email`,`sent_at`) WHERE broadcast_id is null;--> statement-breakpoint
CREATE INDEX `log_entries_by_open` ON `log_entries` (`project_id`,`opened_at`) WHERE opened_at is not null;--> statement-breakpoint
CREATE TABLE `log_subjects` (
	`project_id` blob NOT NULL,
	`broadcast_id` blob NOT NULL,
	`subject` text NOT NULL,
	PRIMARY KEY(`project_id`, `broadcast_id`)
) WITHOUT ROWID;
