DROP TABLE `webhook_deliveries`;--> statement-breakpoint
CREATE TABLE `owed_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`template_id` text,
	`template_name` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `owed_mails_by_due` ON `owed_mails` (`due_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`webhook_id` text NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_status_code` integer,
	`last_error` text,
	`due_at` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE TABLE `webhook_purges` (
	`webhook_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `host` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_token` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `lease_slots` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_by_host` ON `webhooks` (`host`,`lease_until`);--> statement-breakpoint
CREATE INDEX `email_logs_by_open` ON `email_logs` (`project_id`,`opened_at`) WHERE opened_at is not null;--> statement-breakpoint
CREATE INDEX `rollups_top_links` ON `rollups` (`project_id`,`grain`,`bucket_at`,`clicks`) WHERE kind = 'link';--> statement-breakpoint
CREATE INDEX `subscribers_by_source` ON `subscribers` (`project_id`,`status`,`source`,`id`) WHERE source <> '';
