CREATE TABLE `broadcast_counts` (
	`project_id` text NOT NULL,
	`broadcast_id` text NOT NULL,
	`opened` integer DEFAULT 0 NOT NULL,
	`opened_human` integer DEFAULT 0 NOT NULL,
	`clicked` integer DEFAULT 0 NOT NULL,
	`clicked_human` integer DEFAULT 0 NOT NULL,
	`unsubscribed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `broadcast_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `broadcast_links` (
	`project_id` text NOT NULL,
	`broadcast_id` text NOT NULL,
	`url` text NOT NULL,
	`firsts` integer DEFAULT 0 NOT NULL,
	`firsts_human` integer DEFAULT 0 NOT NULL,
	`clicked` integer DEFAULT 0 NOT NULL,
	`clicked_human` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `broadcast_id`, `url`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `subscribers` ADD `left_by` text;--> statement-breakpoint
ALTER TABLE `broadcasts` ADD `earlier_complaints` integer DEFAULT 0 NOT NULL;
