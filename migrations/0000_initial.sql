-- src/db/schema/accounts.ts

CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`verified_at` integer,
	`created_by` text
);
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);

CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`id` text DEFAULT '' NOT NULL,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`ip_address` text DEFAULT '' NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);

CREATE TABLE `mailed_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
CREATE INDEX `mailed_tokens_by_subject` ON `mailed_tokens` (`subject_id`);
CREATE INDEX `mailed_tokens_by_expiry` ON `mailed_tokens` (`expires_at`);

CREATE TABLE `service_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`mail_project_id` text NOT NULL,
	`mail_server` text NOT NULL
) WITHOUT ROWID;

CREATE TABLE `owner_notices` (
	`cause` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`day`, `cause`)
) WITHOUT ROWID;

-- src/db/schema/audience.ts

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
	`updated_at` integer NOT NULL,
	`status_before` text,
	`left_by` text,
	`tags` text DEFAULT '[]' NOT NULL,
	`last_opened_at` integer,
	`last_clicked_at` integer
) WITHOUT ROWID;
CREATE UNIQUE INDEX `subscribers_by_email` ON `subscribers` (`project_id`,`email`);
CREATE INDEX `subscribers_by_status` ON `subscribers` (`project_id`,`status`,`id`);
CREATE INDEX `subscribers_by_source` ON `subscribers` (`project_id`,`status`,`source`,`id`) WHERE source <> '';
CREATE INDEX `subscribers_by_name` ON `subscribers` (`project_id`,`name`) WHERE name <> '';

CREATE TABLE `subscriber_tags` (
	`project_id` text NOT NULL,
	`tag` text NOT NULL,
	`subscriber_id` text NOT NULL,
	PRIMARY KEY(`project_id`, `tag`, `subscriber_id`)
) WITHOUT ROWID;

CREATE TABLE `subscriber_mailings` (
	`project_id` text NOT NULL,
	`at` integer NOT NULL,
	`first_id` text NOT NULL,
	`last_id` text NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`project_id`, `at`, `first_id`)
) WITHOUT ROWID;

CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`condition` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX `segments_by_name` ON `segments` (`project_id`,`name`);

CREATE TABLE `unsubscription_counts` (
	`project_id` text NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`project_id`, `grain`, `at`)
) WITHOUT ROWID;

CREATE TABLE `suppressions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`reason` text NOT NULL,
	`source` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX `suppressions_by_email` ON `suppressions` (`project_id`,`email`);
CREATE INDEX `suppressions_by_reason` ON `suppressions` (`project_id`,`reason`,`id`);

CREATE TABLE `soft_bounces` (
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`days` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`by_report` integer DEFAULT 0 NOT NULL,
	`accepted_day` integer,
	PRIMARY KEY(`project_id`, `email`)
) WITHOUT ROWID;

CREATE TABLE `pending_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`template_id` text,
	`template_name` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`kind` text DEFAULT 'subscriber' NOT NULL,
	`data` text,
	`is_public` integer DEFAULT false NOT NULL
) WITHOUT ROWID;
CREATE INDEX `pending_mails_by_due` ON `pending_mails` (`due_at`);
CREATE INDEX `pending_mails_by_project` ON `pending_mails` (`project_id`,`due_at`);
CREATE INDEX `pending_mails_by_reset` ON `pending_mails` (data->>'to') WHERE kind = 'reset';

-- src/db/schema/audit.ts

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
CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`scope_id`,`action`,`id`);

-- src/db/schema/broadcasts.ts

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
	`reasons` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`complaints` integer DEFAULT 0 NOT NULL,
	`turn_at` integer DEFAULT 0 NOT NULL,
	`kind` text DEFAULT 'broadcast' NOT NULL,
	`total` integer,
	`unknown` integer DEFAULT 0 NOT NULL,
	`retried_by` text,
	`canary_due_at` integer DEFAULT 0 NOT NULL,
	`earlier_complaints` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`topic_id` text,
	`audience_where` text,
	`where_at` integer DEFAULT 0 NOT NULL,
	`from_id` text DEFAULT '' NOT NULL,
	`variables` text,
	`plan` text,
	`send_at` integer,
	`per_hour` integer,
	`drafted_at` integer,
	`updated_at` integer DEFAULT 0 NOT NULL,
	`decides_at` integer DEFAULT 0 NOT NULL,
	`winner` integer,
	`variant_outcomes` text,
	`waiting_for` text,
	`resumptions` integer DEFAULT 0 NOT NULL
);
CREATE INDEX `broadcasts_by_project` ON `broadcasts` (`project_id`,`kind`,`id`);
CREATE INDEX `broadcasts_by_state` ON `broadcasts` (`state`,`plan_due_at`);

CREATE TABLE `broadcast_chunks` (
	`broadcast_id` text NOT NULL,
	`after_id` text NOT NULL,
	`until_id` text NOT NULL,
	`cursor_id` text NOT NULL,
	`state` text NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`lease_token` text NOT NULL,
	`in_flight` text NOT NULL,
	`again` text NOT NULL,
	`deferred` text NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`accepted` text DEFAULT '[]' NOT NULL,
	`recipients` text,
	`unknown` integer DEFAULT 0 NOT NULL,
	`variant` integer,
	PRIMARY KEY(`broadcast_id`, `after_id`)
) WITHOUT ROWID;
CREATE INDEX `broadcast_chunks_by_due` ON `broadcast_chunks` (`state`,`due_at`);

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

CREATE TABLE `batch_failures` (
	`batch_id` text NOT NULL,
	`id` text NOT NULL,
	`failures` text NOT NULL,
	PRIMARY KEY(`batch_id`, `id`)
) WITHOUT ROWID;

-- src/db/schema/log.ts

CREATE TABLE `log_entries` (
	`id` blob PRIMARY KEY NOT NULL,
	`project_id` blob NOT NULL,
	`subscriber_id` blob,
	`template_id` blob,
	`broadcast_id` blob,
	`to_email` text NOT NULL,
	`subject` text,
	`status` integer NOT NULL,
	`error` text,
	`reason` text,
	`tags` text,
	`copies` text,
	`sent_at` integer NOT NULL,
	`opened_at` integer,
	`clicked_at` integer,
	`opened_class` text,
	`opened_user_agent` text,
	`opened_ip` text,
	`via_fallback` integer,
	`queue_id` text,
	`earlier` text
) WITHOUT ROWID;
CREATE INDEX `log_entries_by_status` ON `log_entries` (`project_id`,`status`,`sent_at`);
CREATE INDEX `log_entries_by_recipient` ON `log_entries` (`project_id`,`to_email`,`sent_at`) WHERE broadcast_id is null;
CREATE INDEX `log_entries_by_open` ON `log_entries` (`project_id`,`opened_at`) WHERE opened_at is not null;

CREATE TABLE `log_subjects` (
	`project_id` blob NOT NULL,
	`broadcast_id` blob NOT NULL,
	`subject` text NOT NULL,
	PRIMARY KEY(`project_id`, `broadcast_id`)
) WITHOUT ROWID;

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
CREATE INDEX `rollups_top_links` ON `rollups` (`project_id`,`grain`,`bucket_at`,`clicks`) WHERE kind = 'link';

-- src/db/schema/moving.ts

CREATE TABLE `project_imports` (
	`project_id` text PRIMARY KEY NOT NULL,
	`export_id` text NOT NULL,
	`source_project_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
) WITHOUT ROWID;
CREATE INDEX `project_imports_by_source` ON `project_imports` (`source_project_id`);

-- src/db/schema/operations.ts

CREATE TABLE `send_operations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`state` text NOT NULL,
	`lease_token` text NOT NULL,
	`lease_until` integer NOT NULL,
	`in_flight` text NOT NULL,
	`result` text,
	`created_at` integer NOT NULL
);
CREATE UNIQUE INDEX `send_operations_by_key` ON `send_operations` (`project_id`,`idempotency_key`) WHERE idempotency_key is not null;
CREATE INDEX `send_operations_by_lease` ON `send_operations` (`state`,`lease_until`);
CREATE INDEX `send_operations_by_age` ON `send_operations` (`created_at`);

-- src/db/schema/privacy.ts

CREATE TABLE `erased_addresses` (
	`project_id` text NOT NULL,
	`hash` text NOT NULL,
	`erased_at` integer NOT NULL,
	`work_sealed` text,
	`position` text,
	`due_at` integer,
	PRIMARY KEY(`project_id`, `hash`)
) WITHOUT ROWID;
CREATE INDEX `erased_addresses_by_due` ON `erased_addresses` (`due_at`) WHERE due_at is not null;

CREATE TABLE `ip_retention` (
	`scope` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`place` text
) WITHOUT ROWID;

-- src/db/schema/projects.ts

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
	`updated_at` integer NOT NULL,
	`sending_limits` text,
	`sending_version` integer DEFAULT 0 NOT NULL,
	`fallback_host` text,
	`fallback_port` integer,
	`fallback_user` text,
	`fallback_password_sealed` text,
	`bounce_settings` text,
	`location_hint` text,
	`bounce_domain` text,
	`audience_settings` text
);
CREATE INDEX `projects_by_creator` ON `projects` (`created_by`,`created_at`);
CREATE INDEX `projects_by_workspace` ON `projects` (`workspace_id`,`created_at`);
CREATE INDEX `projects_by_bounce_domain` ON `projects` (`bounce_domain`) WHERE bounce_domain is not null;

CREATE TABLE `project_purges` (
	`project_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;

CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`key_hash` text NOT NULL,
	`prefix` text NOT NULL,
	`rate_limit_per_minute` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`capabilities` text NOT NULL,
	`created_by` text NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);
CREATE INDEX `api_keys_by_project` ON `api_keys` (`project_id`,`created_at`);

CREATE TABLE `project_counters` (
	`project_id` text PRIMARY KEY NOT NULL,
	`subscribers_active` integer DEFAULT 0 NOT NULL,
	`subscribers_pending` integer DEFAULT 0 NOT NULL,
	`subscribers_unsubscribed` integer DEFAULT 0 NOT NULL,
	`suppressions_hard_bounce` integer DEFAULT 0 NOT NULL,
	`suppressions_unsubscribed` integer DEFAULT 0 NOT NULL,
	`suppressions_manual` integer DEFAULT 0 NOT NULL,
	`unproven_day` integer DEFAULT 0 NOT NULL,
	`unproven_count` integer DEFAULT 0 NOT NULL,
	`unproven_claim` text DEFAULT '' NOT NULL,
	`joins_day` integer DEFAULT 0 NOT NULL,
	`joins_count` integer DEFAULT 0 NOT NULL,
	`joins_claim` text DEFAULT '' NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`measured_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;

CREATE TABLE `bounce_imap` (
	`project_id` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`host` text NOT NULL,
	`port` integer NOT NULL,
	`user` text NOT NULL,
	`password_sealed` text NOT NULL,
	`folder` text NOT NULL,
	`last_polled_at` integer,
	`last_error` text DEFAULT '' NOT NULL,
	`failing_since` integer
) WITHOUT ROWID;

CREATE TABLE `bounce_tokens` (
	`project_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`token_sealed` text NOT NULL,
	`rotated_at` integer NOT NULL
) WITHOUT ROWID;

CREATE TABLE `unverified_bounces` (
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`words` text NOT NULL,
	`log_id` text,
	`reports` integer DEFAULT 1 NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `email`)
) WITHOUT ROWID;
CREATE INDEX `unverified_bounces_by_age` ON `unverified_bounces` (`project_id`,`last_seen_at`);

CREATE TABLE `sender_signatures` (
	`project_id` text PRIMARY KEY NOT NULL,
	`signatures` text NOT NULL,
	`seen_at` integer NOT NULL
) WITHOUT ROWID;

-- src/db/schema/queues.ts

CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`queue` text NOT NULL,
	`type` text NOT NULL,
	`body` text,
	`bytes` integer NOT NULL,
	`failed_at` integer NOT NULL,
	`replayed_at` integer,
	`claimed_until` integer DEFAULT 0 NOT NULL
);
CREATE UNIQUE INDEX `dead_letters_message_id_unique` ON `dead_letters` (`message_id`);
CREATE INDEX `dead_letters_waiting` ON `dead_letters` (`id`) WHERE replayed_at is null;

CREATE TABLE `idempotent_responses` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`claimed_until` integer NOT NULL,
	`answer_sealed` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
) WITHOUT ROWID;
CREATE INDEX `idempotent_responses_by_age` ON `idempotent_responses` (`created_at`);

-- src/db/schema/storage.ts

CREATE TABLE `storage` (
	`id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`freed_bytes` integer NOT NULL,
	`level` text NOT NULL,
	`measured_at` integer NOT NULL
) WITHOUT ROWID;
INSERT INTO `storage` (`id`, `bytes`, `measured_at`, `level`, `freed_bytes`) VALUES ('storage', 0, 0, 'ok', 0);

CREATE TABLE `log_retention` (
	`id` text PRIMARY KEY NOT NULL,
	`days` integer,
	`kept_from` integer NOT NULL
) WITHOUT ROWID;
INSERT INTO `log_retention` (`id`, `days`, `kept_from`) VALUES ('log', NULL, 0);

-- src/db/schema/templates.ts

CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`is_public` integer DEFAULT false NOT NULL
);
CREATE INDEX `templates_by_update` ON `templates` (`project_id`,`updated_at`);
CREATE INDEX `templates_by_name` ON `templates` (`project_id`,`name`);

CREATE TABLE `template_versions` (
	`project_id` text NOT NULL,
	`template_id` text NOT NULL,
	`id` text NOT NULL,
	`saved_at` integer NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`html_body` text NOT NULL,
	`text_body` text NOT NULL,
	PRIMARY KEY(`project_id`, `template_id`, `id`)
) WITHOUT ROWID;

-- src/db/schema/topics.ts

CREATE TABLE `topics` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX `topics_by_name` ON `topics` (`project_id`,`name`);

CREATE TABLE `topic_consents` (
	`topic_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`by` text NOT NULL,
	PRIMARY KEY(`topic_id`, `subscriber_id`)
) WITHOUT ROWID;

CREATE TABLE `topic_purges` (
	`topic_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;

CREATE TABLE `consent_events` (
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`id` text NOT NULL,
	`topic_id` text,
	`topic_name` text,
	`action` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL,
	`ip_address` text NOT NULL,
	`user_agent` text NOT NULL,
	`form_text` text NOT NULL,
	PRIMARY KEY(`project_id`, `subscriber_id`, `id`)
) WITHOUT ROWID;
CREATE INDEX `consent_events_requested` ON `consent_events` (`id`) WHERE action = 'requested' and topic_id is null and "by" in ('join', 'waitlist', 'page');

-- src/db/schema/webhooks.ts

CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`url` text NOT NULL,
	`secret_sealed` text NOT NULL,
	`events` text NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`lease_token` text DEFAULT '' NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`lease_slots` integer DEFAULT 0 NOT NULL
);
CREATE INDEX `webhooks_by_project` ON `webhooks` (`project_id`,`created_at`);
CREATE INDEX `webhooks_by_host` ON `webhooks` (`host`,`lease_until`);

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
	`last_answer` text,
	PRIMARY KEY(`webhook_id`, `id`)
) WITHOUT ROWID;
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`due_at`) WHERE due_at is not null;
CREATE INDEX `webhook_deliveries_replayed` ON `webhook_deliveries` (`webhook_id`,`event_id`) WHERE event_type = 'email.clicked' and substr(id, 1, 24) <> substr(event_id, 1, 24);

CREATE TABLE `webhook_purges` (
	`webhook_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;

-- src/db/schema/workspaces.ts

CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	`accepted` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`)
) WITHOUT ROWID;
CREATE INDEX `workspace_members_by_user` ON `workspace_members` (`user_id`,`joined_at`);

CREATE TABLE `workspace_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX `workspace_invitations_by_email` ON `workspace_invitations` (`workspace_id`,`email`);
CREATE INDEX `workspace_invitations_by_expiry` ON `workspace_invitations` (`expires_at`);
