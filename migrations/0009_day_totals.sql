DELETE FROM `ip_retention`;
DELETE FROM `rollups` WHERE `grain` = 'all';
