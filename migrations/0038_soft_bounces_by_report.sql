ALTER TABLE `soft_bounces` ADD `by_report` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `soft_bounces` ADD `accepted_day` integer;