PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_api_keys` (
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
--> statement-breakpoint
INSERT INTO `__new_api_keys`("id", "project_id", "name", "type", "key_hash", "prefix", "rate_limit_per_minute", "created_at", "last_used_at", "capabilities", "created_by") SELECT "id", "project_id", "name", "type", "key_hash", "prefix", "rate_limit_per_minute", "created_at", "last_used_at", "capabilities", "created_by" FROM `api_keys`;--> statement-breakpoint
DROP TABLE `api_keys`;--> statement-breakpoint
ALTER TABLE `__new_api_keys` RENAME TO `api_keys`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_project` ON `api_keys` (`project_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `next_index`;--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `sent`;--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `failed`;--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `bounced`;--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `suppressed`;--> statement-breakpoint
ALTER TABLE `send_operations` DROP COLUMN `failures`;