CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `broadcast_ranges` (
	`broadcast_id` text NOT NULL,
	`after_id` text NOT NULL,
	`until_id` text NOT NULL,
	`cursor_id` text NOT NULL,
	`state` text NOT NULL,
	`pass` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`lease_token` text NOT NULL,
	`in_flight` text NOT NULL,
	`again` text NOT NULL,
	`deferred` text NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`broadcast_id`, `after_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `broadcast_ranges_by_due` ON `broadcast_ranges` (`state`,`due_at`);--> statement-breakpoint
CREATE TABLE `broadcasts` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`template_id` text,
	`subject` text NOT NULL,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	`status` text NOT NULL,
	`source` text,
	`state` text NOT NULL,
	`log_key` text NOT NULL,
	`cutoff_id` text NOT NULL,
	`planned_id` text NOT NULL,
	`plan_due_at` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `broadcasts_by_project` ON `broadcasts` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `broadcasts_by_state` ON `broadcasts` (`state`,`plan_due_at`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`metadata` text NOT NULL,
	`source` text NOT NULL,
	`subscribed_at` integer NOT NULL,
	`unsubscribed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_by_email` ON `subscribers` (`project_id`,`email`);--> statement-breakpoint
CREATE INDEX `subscribers_by_status` ON `subscribers` (`project_id`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `suppressions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`reason` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `suppressions_by_email` ON `suppressions` (`project_id`,`email`);--> statement-breakpoint
CREATE INDEX `suppressions_by_reason` ON `suppressions` (`project_id`,`reason`,`id`);--> statement-breakpoint
CREATE TABLE `email_clicks` (
	`log_id` text NOT NULL,
	`id` text NOT NULL,
	`url` text NOT NULL,
	`user_agent` text NOT NULL,
	`ip_address` text NOT NULL,
	`class` text NOT NULL,
	`clicked_at` integer NOT NULL,
	PRIMARY KEY(`log_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `email_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text,
	`template_id` text,
	`broadcast_id` text,
	`to_email` text NOT NULL,
	`subject` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`tags` text,
	`copies` text,
	`sent_at` integer NOT NULL,
	`opened_at` integer,
	`clicked_at` integer,
	`opened_class` text,
	`opened_user_agent` text,
	`opened_ip` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `email_logs_by_status` ON `email_logs` (`project_id`,`status`,`sent_at`);--> statement-breakpoint
CREATE INDEX `email_logs_by_recipient` ON `email_logs` (`project_id`,`to_email`,`sent_at`) WHERE broadcast_id is null;--> statement-breakpoint
CREATE TABLE `rollups` (
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`grain` text NOT NULL,
	`bucket_at` integer NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`label` text DEFAULT '' NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`opened` integer DEFAULT 0 NOT NULL,
	`clicked` integer DEFAULT 0 NOT NULL,
	`opens` integer DEFAULT 0 NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`project_id`, `kind`, `grain`, `bucket_at`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `send_operations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`state` text NOT NULL,
	`lease_token` text NOT NULL,
	`lease_until` integer NOT NULL,
	`next_index` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`in_flight` text NOT NULL,
	`result` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `send_operations_by_key` ON `send_operations` (`project_id`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX `send_operations_by_lease` ON `send_operations` (`state`,`lease_until`);--> statement-breakpoint
CREATE INDEX `send_operations_by_age` ON `send_operations` (`created_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`key_hash` text NOT NULL,
	`prefix` text NOT NULL,
	`rate_limit_per_minute` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_project` ON `api_keys` (`project_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text NOT NULL,
	`scope_id` text NOT NULL,
	`user_id` text,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` text NOT NULL,
	`metadata` text NOT NULL,
	`ip_address` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`scope_id`,`action`,`id`);--> statement-breakpoint
CREATE TABLE `bounce_imap` (
	`project_id` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`host` text NOT NULL,
	`port` integer NOT NULL,
	`user` text NOT NULL,
	`password_sealed` text NOT NULL,
	`folder` text NOT NULL,
	`last_polled_at` integer,
	`last_error` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bounce_tokens` (
	`project_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`token_sealed` text NOT NULL,
	`rotated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `project_counters` (
	`project_id` text PRIMARY KEY NOT NULL,
	`subscribers_active` integer DEFAULT 0 NOT NULL,
	`subscribers_pending` integer DEFAULT 0 NOT NULL,
	`subscribers_unsubscribed` integer DEFAULT 0 NOT NULL,
	`suppressions_hard_bounce` integer DEFAULT 0 NOT NULL,
	`suppressions_unsubscribed` integer DEFAULT 0 NOT NULL,
	`suppressions_manual` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `project_purges` (
	`project_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`created_by` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`from_name` text,
	`from_email` text,
	`smtp_host` text,
	`smtp_port` integer,
	`smtp_user` text,
	`smtp_password_sealed` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `projects_by_creator` ON `projects` (`created_by`,`created_at`);--> statement-breakpoint
CREATE INDEX `projects_by_workspace` ON `projects` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `templates_by_update` ON `templates` (`project_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `templates_by_name` ON `templates` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`project_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_status_code` integer,
	`last_error` text,
	`next_attempt_at` integer,
	`lease_until` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_leased` ON `webhook_deliveries` (`lease_until`) WHERE status = 'inflight';--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`url` text NOT NULL,
	`secret_sealed` text NOT NULL,
	`events` text NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_project` ON `webhooks` (`project_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `workspace_members_by_user` ON `workspace_members` (`user_id`,`joined_at`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
