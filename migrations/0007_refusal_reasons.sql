ALTER TABLE `email_logs` ADD `reason` text;
