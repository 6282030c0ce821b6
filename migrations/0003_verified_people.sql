CREATE TABLE `mailed_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mailed_tokens_by_subject` ON `mailed_tokens` (`subject_id`);--> statement-breakpoint
CREATE INDEX `mailed_tokens_by_expiry` ON `mailed_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `owner_notices` (
	`cause` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`day`, `cause`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `service_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`mail_project_id` text NOT NULL,
	`mail_server` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workspace_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_invitations_by_email` ON `workspace_invitations` (`workspace_id`,`email`);--> statement-breakpoint
CREATE INDEX `workspace_invitations_by_expiry` ON `workspace_invitations` (`expires_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ip_address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `verified_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `owed_mails` ADD `kind` text DEFAULT 'subscriber' NOT NULL;--> statement-breakpoint
ALTER TABLE `owed_mails` ADD `data` text;--> statement-breakpoint
ALTER TABLE `bounce_imap` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `accepted` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `sessions` SET `last_seen_at` = `created_at`, `id` = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
--> statement-breakpoint
-- The first account is the operator's. Nothing proves the address of any other.
UPDATE `users` SET `verified_at` = `created_at` WHERE rowid = (SELECT min(rowid) FROM `users`);
--> statement-breakpoint
-- The audit trail tells who created an account before accounts themselves did.
UPDATE `users` SET `created_by` = e.`user_id`
FROM (
	SELECT `user_id`, json_extract(`metadata`, '$.user_id') AS `made` FROM `audit_entries`
	WHERE `action` = 'workspace.user_created'
) AS e WHERE e.`made` = `users`.`id`;
--> statement-breakpoint
-- A person chose to be in the workspaces that they made, and nobody asked them about any other.
UPDATE `workspace_members` SET `accepted` = true
WHERE `user_id` = (SELECT `created_by` FROM `workspaces` WHERE `id` = `workspace_members`.`workspace_id`);
--> statement-breakpoint
-- Logins become entries of the person's own account; other workspaces show them no longer.
INSERT OR IGNORE INTO `audit_entries` (`id`, `scope_id`, `user_id`, `action`, `target_type`, `target_id`, `metadata`, `ip_address`, `user_agent`, `created_at`)
SELECT `id`, `user_id`, `user_id`, `action`, `target_type`, `target_id`, `metadata`, `ip_address`, `user_agent`, `created_at`
FROM `audit_entries` WHERE `action` IN ('user.login', 'user.login_failed') AND `user_id` IS NOT NULL;
--> statement-breakpoint
DELETE FROM `audit_entries`
WHERE `action` IN ('user.login', 'user.login_failed') AND `user_id` IS NOT NULL AND `scope_id` <> `user_id`
	AND NOT EXISTS (
		SELECT 1 FROM `workspace_members` m
		WHERE m.`workspace_id` = `audit_entries`.`scope_id` AND m.`user_id` = `audit_entries`.`user_id` AND m.`accepted`
	);
