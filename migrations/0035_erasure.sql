CREATE TABLE `erased_addresses` (
	`project_id` text NOT NULL,
	`hash` text NOT NULL,
	`erased_at` integer NOT NULL,
	`work_sealed` text,
	`position` text,
	`due_at` integer,
	PRIMARY KEY(`project_id`, `hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `erased_addresses_by_due` ON `erased_addresses` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE TABLE `ip_retention` (
	`scope` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`place` text
) WITHOUT ROWID;
