CREATE TABLE `template_versions` (
	`project_id` text NOT NULL,
	`template_id` text NOT NULL,
	`id` text NOT NULL,
	`saved_at` integer NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	PRIMARY KEY(`project_id`, `template_id`, `id`)
) WITHOUT ROWID;
