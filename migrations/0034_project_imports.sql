CREATE TABLE `project_imports` (
	`project_id` text PRIMARY KEY NOT NULL,
	`export_id` text NOT NULL,
	`source_project_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `project_imports_by_source` ON `project_imports` (`source_project_id`);