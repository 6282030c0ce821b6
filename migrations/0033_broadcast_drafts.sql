CREATE TABLE `broadcast_variants` (
	`broadcast_id` text NOT NULL,
	`n` integer NOT NULL,
	`template_id` text,
	`subject` text NOT NULL,
	`from_name` text,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	PRIMARY KEY(`broadcast_id`, `n`)
);
--> statement-breakpoint
ALTER TABLE `broadcast_ranges` ADD `variant` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `topic_id` text;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `audience_where` text;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `where_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `from_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `variables` text;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `plan` text;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `send_at` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `per_hour` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `drafted_at` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `decides_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `winner` integer;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `trial` text;