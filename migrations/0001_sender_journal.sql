ALTER TABLE `broadcast_chunks` ADD `recorded` integer DEFAULT 0 NOT NULL;
ALTER TABLE `broadcast_chunks` ADD `left_out` text;
ALTER TABLE `broadcast_chunks` DROP COLUMN `accepted`;
