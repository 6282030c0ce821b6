/*
 * Names of programs that fetch mail links and images, in lower case; they match anywhere in the
 * user agent. Many scanners pose as browsers and are detected by timing (email-log/visits). The
 * package `isbot` (tried: 5.2.3) also matches these image proxies and four common mail clients.
 */

/**
 * Mail services that fetch every image through their own servers, whether or not anyone reads the
 * mail.
 */
export const IMAGE_PROXIES = [
  "googleimageproxy",
  "via ggpht.com",
  "yahoomailproxy",
  "seznamemailproxy",
];

/** The complete user agent of Apple's Mail Privacy Protection. */
export const APPLE_MAIL_PRIVACY = "mozilla/5.0";

/** Gateways and filters that visit the links of a mail before, or instead of, its reader. */
export const SECURITY_SCANNERS = [
  "abnormalsecurity",
  "agari",
  "area1security",
  "avanan",
  "barracuda",
  "bluecoat",
  "check point",
  "checkpoint",
  "ciscosecureemail",
  "cisco-secure-email",
  "cloudmark",
  "cudasvc",
  "darktrace",
  "fireeye",
  "forcepoint",
  "fortiguard",
  "fortimail",
  "fortinet",
  "google-safety",
  "hornetsecurity",
  "ironport",
  "ironscales",
  "mailmarshal",
  "messagelabs",
  "mimecast",
  "netcraft",
  "palo alto networks",
  "paloaltonetworks",
  "perception-point",
  "phishtank",
  "proofpoint",
  "safelinks",
  "sonicwall",
  "sophos",
  "spamexperts",
  "spamhaus",
  "spamtitan",
  "symantec",
  "trellix",
  "trend micro",
  "trendmicro",
  "trustwave",
  "urlscan",
  "vade secure",
  "vadesecure",
  "virustotal",
  "websense",
  "zscaler",
];

/** Crawlers, link previews and headless browsers; CUBOT is a phone brand. */
export const BOTS =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|scanner|headless|phantomjs|playwright|lighthouse|facebookexternal|linkexpanding|(?:link|ur[il]|web) ?preview|bingpreview|microsoftpreview|slack-imgproxy|iframely|embedly|vkshare|whatsapp\//;

/** Browsers, and mail clients that identify themselves. */
export const PEOPLE =
  /^mozilla\/[45]\.0 \(.*(?:applewebkit|gecko|trident|msie|presto)|outlook|thunderbird|microsoft office|cfnetwork|^dalvik\/|^opera\//;
