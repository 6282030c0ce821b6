ALTER TABLE `project_counters` ADD `stored_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `project_counters` ADD `measured_at` integer DEFAULT 0 NOT NULL;