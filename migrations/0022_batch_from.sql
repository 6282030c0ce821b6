ALTER TABLE `broadcasts` ADD `from_name` text;
ALTER TABLE `broadcasts` ADD `from_address` text;