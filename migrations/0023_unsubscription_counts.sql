CREATE TABLE `unsubscription_counts` (
	`project_id` text NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`project_id`, `grain`, `at`)
) WITHOUT ROWID;
