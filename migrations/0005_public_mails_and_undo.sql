ALTER TABLE `owed_mails` ADD `is_public` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `owed_mails_by_project` ON `owed_mails` (`project_id`,`due_at`);--> statement-breakpoint
ALTER TABLE `subscribers` ADD `status_before` text;--> statement-breakpoint
ALTER TABLE `templates` ADD `is_public` integer DEFAULT false NOT NULL;