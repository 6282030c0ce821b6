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
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message_id_unique` ON `dead_letters` (`message_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_waiting` ON `dead_letters` (`id`) WHERE replayed_at is null;