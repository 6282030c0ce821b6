ALTER TABLE `projects` ADD `sending_limits` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `sending_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `fallback_host` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `fallback_port` integer;--> statement-breakpoint
ALTER TABLE `projects` ADD `fallback_user` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `fallback_password_sealed` text;