/** The statuses of a subscriber, as the database and the API name them. */
export const SUBSCRIBER_STATUSES = ["active", "pending", "unsubscribed"] as const;
