CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`condition` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `segments_by_name` ON `segments` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `subscriber_mailings` (
	`project_id` text NOT NULL,
	`at` integer NOT NULL,
	`first_id` text NOT NULL,
	`last_id` text NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`project_id`, `at`, `first_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subscriber_tags` (
	`project_id` text NOT NULL,
	`tag` text NOT NULL,
	`subscriber_id` text NOT NULL,
	PRIMARY KEY(`project_id`, `tag`, `subscriber_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `subscribers` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `last_opened_at` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `last_clicked_at` integer;