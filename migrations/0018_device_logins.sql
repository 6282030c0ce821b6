CREATE TABLE `device_logins` (
	`device_hash` text PRIMARY KEY NOT NULL,
	`user_code_hash` text NOT NULL,
	`name` text NOT NULL,
	`ip_address` text NOT NULL,
	`expires_at` integer NOT NULL,
	`polled_at` integer NOT NULL,
	`decision` text
) WITHOUT ROWID;

CREATE UNIQUE INDEX `device_logins_user_code_hash_unique` ON `device_logins` (`user_code_hash`);
CREATE INDEX `device_logins_by_expiry` ON `device_logins` (`expires_at`);