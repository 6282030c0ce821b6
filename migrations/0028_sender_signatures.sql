CREATE TABLE `sender_signatures` (
	`project_id` text PRIMARY KEY NOT NULL,
	`signatures` text NOT NULL,
	`seen_at` integer NOT NULL
) WITHOUT ROWID;
