CREATE TABLE `log_retention` (
	`id` text PRIMARY KEY NOT NULL,
	`days` integer,
	`kept_from` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `storage` (
	`id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`freed_bytes` integer NOT NULL,
	`level` text NOT NULL,
	`measured_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `storage` VALUES ('storage', 0, 0, 'ok', 0);--> statement-breakpoint
INSERT INTO `log_retention` VALUES ('log', NULL, 0);
