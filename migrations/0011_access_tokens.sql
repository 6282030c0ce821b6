ALTER TABLE `sessions` ADD `name` text;
ALTER TABLE `sessions` ADD `project_ids` text;