ALTER TABLE `project_counters` ADD `joins_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `project_counters` ADD `joins_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `project_counters` ADD `joins_claim` text DEFAULT '' NOT NULL;