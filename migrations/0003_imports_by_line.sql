DROP INDEX `project_imports_by_source`;
ALTER TABLE `project_imports` DROP COLUMN `source_project_id`;
ALTER TABLE `project_imports` DROP COLUMN `files`;
ALTER TABLE `project_imports` DROP COLUMN `finished_at`;
ALTER TABLE `project_imports` ADD `lines` integer DEFAULT 0 NOT NULL;
