ALTER TABLE `api_keys` ADD `capabilities` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
-- The audit trail tells who made a key before keys themselves did.
UPDATE `api_keys` SET `created_by` = (
	SELECT `user_id` FROM `audit_entries`
	WHERE `scope_id` = `api_keys`.`project_id` AND `action` = 'api_key.create' AND `target_id` = `api_keys`.`id`
);
