ALTER TABLE `broadcasts` ADD `in_archive` integer;
CREATE INDEX `broadcasts_of_topics` ON `broadcasts` (`project_id`,`created_at`) WHERE kind = 'broadcast' and state = 'done' and topic_id is not null;
ALTER TABLE `topics` ADD `public_archive` integer DEFAULT false NOT NULL;