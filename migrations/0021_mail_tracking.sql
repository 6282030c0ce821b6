ALTER TABLE `broadcast_variants` ADD `preheader` text DEFAULT '' NOT NULL;
ALTER TABLE `broadcast_variants` ADD `tracking` text DEFAULT '{}' NOT NULL;
ALTER TABLE `broadcasts` ADD `preheader` text DEFAULT '' NOT NULL;
ALTER TABLE `broadcasts` ADD `tracking` text DEFAULT '{}' NOT NULL;
ALTER TABLE `template_versions` ADD `preheader` text DEFAULT '' NOT NULL;
ALTER TABLE `templates` ADD `preheader` text DEFAULT '' NOT NULL;
ALTER TABLE `templates` ADD `tracking` text DEFAULT '{}' NOT NULL;