ALTER TABLE `log_entries` ADD `earlier` text;
