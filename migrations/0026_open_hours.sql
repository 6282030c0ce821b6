CREATE TABLE `open_hours` (
	`project_id` text NOT NULL,
	`hour_at` integer NOT NULL,
	`broadcast_id` text NOT NULL,
	`opens` integer NOT NULL,
	PRIMARY KEY(`project_id`, `hour_at`, `broadcast_id`)
) WITHOUT ROWID;
