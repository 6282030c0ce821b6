DROP INDEX `webhook_deliveries_replayed`;
DELETE FROM `ip_retention` WHERE `scope` LIKE 'deliveries:%';
UPDATE `webhook_deliveries` SET `payload` = json_remove(`payload`, '$.data.ip') WHERE `due_at` IS NULL AND `event_type` = 'email.clicked' AND `payload` ->> '$.data.ip' IS NOT NULL;
