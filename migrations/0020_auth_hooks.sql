CREATE TABLE `auth_hooks` (
	`project_id` text NOT NULL,
	`service` text NOT NULL,
	`token_hash` text NOT NULL,
	`token_sealed` text NOT NULL,
	`secret_sealed` text DEFAULT '' NOT NULL,
	`templates` text NOT NULL,
	`last_called_at` integer,
	`last_error` text,
	PRIMARY KEY(`project_id`, `service`)
) WITHOUT ROWID;

CREATE UNIQUE INDEX `auth_hooks_token_hash_unique` ON `auth_hooks` (`token_hash`);