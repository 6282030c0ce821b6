DROP INDEX `broadcasts_by_state`;
CREATE INDEX `broadcasts_by_state` ON `broadcasts` (`state`,`project_id`,`plan_due_at`);