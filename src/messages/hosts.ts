import { messageFrom, type Message } from "./message.ts";

/** Why the host guard rejects a host or a URL. */
export const HOSTS = {
  host_invalid: "the host is not a valid name or address",
  host_not_public: "the host is not a public address",
  host_incomplete: "the host is not a fully qualified domain name",
  host_of_private_network: "the host name belongs to a private network",
  host_of_cloudflare:
    "it belongs to Cloudflare, and Workers cannot connect to Cloudflare's own addresses",
  url_invalid: "the URL is not valid",
  url_not_web: "the URL must start with https:// or http://",
  url_with_credentials: "the URL must not contain a username or password",
} as const;

export type HostCode = keyof typeof HOSTS;

/** Makes the reason for which a host or a URL is rejected. */
export const hostReason = (code: HostCode): Message<HostCode> => messageFrom(HOSTS, code);
