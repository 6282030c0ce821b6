ALTER TABLE `automations` ADD `walked_to` text DEFAULT '' NOT NULL;

-- A run that waits for the confirmation of somebody who is deleted ends at its next move.
CREATE TRIGGER `deleted_subscribers_leave` AFTER DELETE ON `subscribers` BEGIN
	UPDATE automation_runs SET due_at = 0
		WHERE subscriber_id = OLD.id AND ended_at IS NULL AND due_at IS NULL;
END;
