-- The goal of a version counts for those inside it, and that of the one to which they move on.
DROP TRIGGER `events_reach_automations`;
ALTER TABLE `automations` DROP COLUMN `goal_event`;
CREATE TRIGGER `events_reach_automations` AFTER INSERT ON `events` BEGIN
	INSERT INTO automation_entries VALUES (NEW.project_id, 'event', NEW.name, NEW.subscriber_id, NEW.received_at, NEW.data);
	UPDATE automation_runs SET due_at = NEW.received_at, heard = NEW.name
		WHERE subscriber_id = NEW.subscriber_id AND ended_at IS NULL AND waits_for = NEW.name;
	UPDATE automation_runs SET due_at = NEW.received_at, goal_met = 1
		WHERE subscriber_id = NEW.subscriber_id AND ended_at IS NULL AND goal_met = 0
			AND NOT (step = '' AND entered_at = NEW.received_at)
			AND EXISTS (SELECT 1 FROM automation_versions v WHERE v.automation_id = automation_runs.automation_id
				AND v.version IN (automation_runs.version, (SELECT min(version) FROM automation_versions
					WHERE automation_id = automation_runs.automation_id AND version >= automation_runs.version AND moves_on = 0))
				AND v.definition ->> '$.goal.event' = NEW.name);
END;
