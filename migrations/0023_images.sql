CREATE TABLE `images` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`sha256` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`alt` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);

CREATE UNIQUE INDEX `images_by_hash` ON `images` (`project_id`,`sha256`);
CREATE INDEX `images_by_project` ON `images` (`project_id`,`id`);
CREATE INDEX `images_deleted` ON `images` (`deleted_at`) WHERE deleted_at is not null;