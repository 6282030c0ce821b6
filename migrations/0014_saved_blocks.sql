CREATE TABLE `saved_blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`block` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `saved_blocks_by_name` ON `saved_blocks` (`project_id`,`name`);