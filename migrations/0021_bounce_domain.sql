ALTER TABLE `projects` ADD `bounce_domain` text;--> statement-breakpoint
CREATE INDEX `projects_by_bounce_domain` ON `projects` (`bounce_domain`) WHERE bounce_domain is not null;--> statement-breakpoint
UPDATE `projects` SET `bounce_domain` = substr(bounce_settings ->> '$.returnPath', instr(bounce_settings ->> '$.returnPath', '@') + 1) WHERE bounce_settings ->> '$.returnPath' IS NOT NULL;
