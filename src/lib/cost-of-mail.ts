/*
 * The figures by which a pre-flight estimates a broadcast. docs/limits-and-costs.md shows them with
 * their sources, and a test checks that both agree.
 */

/**
 * The cost of a million broadcast mails until the log removes them, if 40 % are opened and 5 % are
 * clicked. It adds up marginal prices of the Workers Paid plan, in US dollars.
 */
export const DOLLARS_OF_MILLION_MAILS = 4.94;

/** The bytes of a broadcast mail in the log, when 40 % of the mails are opened. */
export const BYTES_OF_MAIL = 304;

/** The mails a second over four connections to a server 50 ms away, without CHUNKING. */
export const MAILS_A_SECOND = 75;
export const CONNECTIONS_OF_SPEED = 4;
