ALTER TABLE `broadcasts` ADD `test` integer;
ALTER TABLE `log_entries` ADD `test` integer;
CREATE INDEX `log_entries_tests` ON `log_entries` (`sent_at`) WHERE test is not null;