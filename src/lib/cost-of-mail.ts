/*
 * Figures that a pre-flight check uses to estimate a broadcast. docs/limits-and-costs.md documents
 * them with sources, and a test checks that both agree.
 */

/**
 * Cost in US dollars of a million broadcast mails until the log expires, if 40 % are opened and 5 %
 * are clicked: the sum of marginal prices of the Workers Paid plan.
 */
export const DOLLARS_OF_MILLION_MAILS = 5.56;

/** Bytes of a broadcast mail in the log, if 40 % of the mails are opened. */
export const BYTES_OF_MAIL = 304;

/** Mails per second over four connections to a server 50 ms away, without CHUNKING. */
export const MAILS_A_SECOND = 77;
export const CONNECTIONS_OF_SPEED = 4;
