ALTER TABLE `broadcast_ranges` ADD `unknown` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `total` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `unknown` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `retried_by` text;--> statement-breakpoint
ALTER TABLE `log_entries` ADD `queue_id` text;