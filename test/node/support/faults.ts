/** Rows that npm run doctor reports. */
export const DEAD_LETTER =
  "INSERT INTO dead_letters (id, message_id, queue, type, bytes, failed_at) VALUES ('l', 'm', 'q', 't', 1, 0);";

/** An entry of this time in milliseconds, which is a fault of the clock in the future. */
export const insertedEntry = (createdAt: number) =>
  `INSERT INTO audit_entries (id, scope_id, user_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at) VALUES ('01', 's', 'u', 'a', 't', 'i', '{}', '', '', ${createdAt});`;
