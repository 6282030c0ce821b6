CREATE TABLE `batch_failures` (
	`batch_id` text NOT NULL,
	`id` text NOT NULL,
	`failures` text NOT NULL,
	PRIMARY KEY(`batch_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `broadcasts_by_project`;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `kind` text DEFAULT 'broadcast' NOT NULL;--> statement-breakpoint
CREATE INDEX `broadcasts_by_project` ON `broadcasts` (`project_id`,`kind`,`id`);--> statement-breakpoint
ALTER TABLE `broadcast_ranges` ADD `recipients` text;