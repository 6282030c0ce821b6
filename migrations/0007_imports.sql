CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`imported` integer DEFAULT 0 NOT NULL,
	`existing` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;

CREATE INDEX `imports_by_project` ON `imports` (`project_id`,`id`);
ALTER TABLE `subscribers` ADD `import_id` text;
CREATE INDEX `subscribers_by_import` ON `subscribers` (`project_id`,`import_id`,`id`) WHERE import_id is not null;