CREATE TABLE `soft_bounces` (
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`days` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	PRIMARY KEY(`project_id`, `email`)
) WITHOUT ROWID;
