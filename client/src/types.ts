// `npm run openapi` writes this file from the routes.

import type { Call, PagedCall } from "./calls.ts";

export type AbTest = {
  winner: string | null;
  /** Null before all test emails were attempted, for `manual`, and after the choice or a cancellation. */
  decides_at: string | null;
  variants: Array<{
    variant: string;
    subject: string;
    mailed: number;
    opened_human: number;
    clicked_human: number;
  }>;
  leader: string | null;
  /** The chance that the leader is better than the next variant. */
  certainty: number | null;
  /** The result and its certainty in one sentence. */
  summary: string;
};

export type AccessToken = {
  id: string;
  name: string;
  /** The projects that the token reaches. Null: all of the person. */
  project_ids: Array<string> | null;
  created_at: string;
  /** Written at most once an hour. */
  last_used_at: string | null;
  /** Null: the token does not expire. */
  expires_at: string | null;
};

export type AddressExport = {
  email: string | null;
  subscriber: Subscriber | null;
  consents: Consents | null;
  suppression: Suppression | null;
  soft_bounces: { days: number; first_day: string; last_day: string; } | null;
  unverified_report: { kind: string; reason: string; words: string; last_seen_at: string; } | null;
  events: Array<Event> | null;
  automation_runs: Array<{
    automation_id: string;
    automation_name: string;
    entered_at: string;
    ended_at: string | null;
    /** Null while the person is inside. */
    outcome: "completed" | "goal" | "unsubscribed" | "suppressed" | "deleted" | "stopped" | null;
    /** The step of the person, or the last one; empty before the first. */
    step: string;
    /** The data of the event that started it; null for other triggers. */
    data: Record<string, unknown> | null;
    mails: Array<{ step: string; at: string; }>;
  }> | null;
  mails: Array<{
    /** Also the local part of the Message-ID. */
    id: string;
    project_id: string;
    /** Null if the address belongs to no subscriber. */
    subscriber_id: string | null;
    /** Null for HTML in the request and for built-in templates. */
    template_id: string | null;
    /** Null outside broadcasts. */
    broadcast_id: string | null;
    /** Null outside automations. */
    automation_id: string | null;
    /** The step of the automation that sent it. */
    step_id: string | null;
    /** Empty after an erasure, as is the subject. */
    to_email: string;
    /** The first 998 characters, rendered. */
    subject: string;
    status: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
    /** Why the email was not accepted. */
    error: string | null;
    /** The reason of a rejection or bounce (API reference §11.7). */
    reason: string | null;
    /** Whether the outcome is that of the fallback server. */
    via_fallback: boolean;
    tags: Record<string, string>;
    copies: Array<{ email: string; status: string; error: string; reason?: string; }>;
    /** When the outcome was recorded; for a scheduled email, when it is due. */
    sent_at: string;
    /** When a scheduled email is due, while it waits. */
    scheduled_at?: string;
    /** The first open; later ones do not change it. */
    opened_at: string | null;
    /** The first click; later ones do not change it. */
    clicked_at: string | null;
    /** True for an email that no server got: of a test key, or to the simulator. */
    test?: boolean;
    opens: Array<{
      at: string;
      class: string | null;
      user_agent: string | null;
      ip_address: string | null;
    }>;
    clicks: Array<{
      url: string;
      at: string;
      class: string | null;
      user_agent: string | null;
      ip_address: string | null;
    }>;
  }>;
  next: string | null;
};

export type AnalyticsOverview = {
  total_sent: number;
  total_failed: number;
  total_opened: number;
  total_clicked: number;
  deliverability_pct: number;
  open_rate_pct: number;
  click_rate_pct: number;
  from: string;
  to: string;
  granularity: "hour" | "day" | "week" | "month";
  /** Rounded up. */
  range_days: number;
  /** clicked / opened × 100. */
  click_to_open_pct: number;
  /** Current value. */
  active_subscribers: number;
  opens_series: Array<{ bucket: string; opens: number; }>;
  top_templates: Array<{ template_id: string; name: string; sends: number; }>;
  top_clicked_links: Array<{ url: string; clicks: number; }>;
  sends_by_status: Array<{ status: "sent" | "failed" | "bounced" | "suppressed"; count: number; }>;
  previous: {
    total_sent: number;
    total_failed: number;
    total_opened: number;
    total_clicked: number;
    deliverability_pct: number;
    open_rate_pct: number;
    click_rate_pct: number;
  };
};

export type ApiKey = {
  id: string;
  name: string;
  type: "sk" | "pk" | "sdk";
  /** The type and the first 6 characters of the secret. */
  prefix: string;
  /** Whether it is a test key, whose emails reach no server. */
  test: boolean;
  capabilities: Array<
    | "read"
    | "audit:read"
    | "projects:write"
    | "projects:delete"
    | "api_keys:write"
    | "webhooks:write"
    | "templates:write"
    | "subscribers:write"
    | "events:write"
    | "send:transactional"
    | "send:broadcast"
    | "automations:write"
    | "suppressions:write"
    | "workspace:write"
    | "members:write">;
  /** The person who created the key. */
  created_by: string;
  created_by_name: string | null;
  created_by_email: string | null;
  /** Whether that person is still a member of the workspace. */
  created_by_member: boolean;
  /** Null: the limits of the project. */
  rate_limit_per_minute: number | null;
  created_at: string;
  /** Written at most once a minute. */
  last_used_at: string | null;
};

export type AudienceGrowth = {
  from: string;
  to: string;
  granularity: "hour" | "day" | "week" | "month";
  /** False if more than 50,000 people joined: the latest are counted. */
  is_complete: boolean;
  series: Array<{
    bucket: string;
    /** People who joined, even if they have left since. */
    joined: number;
    unsubscribed: number;
    /** Addresses that bounced, complained or were suppressed. */
    suppressed: number;
  }>;
};

export type AudienceSettings = {
  /** Whether people who join through a form become active only after confirming by email. */
  double_opt_in: boolean;
  confirmation_template_id: string | null;
  /** The text next to your forms, stored in the consent history. */
  form_text: string;
  /** The language of pages and emails for subscribers. */
  language: "en" | "de" | "fr" | "es" | "pt";
  min_days_between_broadcasts: number;
  click_ip_days: number;
  /** The site key of the same widget, which the pages of forms show; `""` for none. */
  turnstile_site_key: string;
  joins_per_day: number;
  automations: {
    /** When no automation mails anybody. */
    quiet_hours: {
      /** A time of day, such as `22:00`. */
      from: string;
      to: string;
      /** `recipient`, or a time zone of the IANA database. */
      zone?: string;
    } | null;
    /** The most mails of all automations to one subscriber in seven days; 0 for no limit. */
    max_per_week: number;
  };
  turnstile: boolean;
};

export type AuditEntry = {
  id: string;
  /** Null if an API key or the service acted. */
  user_id: string | null;
  /** The person's current name. */
  user_name: string | null;
  /** The person's current email. */
  user_email: string | null;
  action: string;
  target_type: string;
  target_id: string;
  /** Depends on the action; never a password, key, token or email body. */
  metadata: Record<string, unknown>;
  /** The client address of API reference §4.1. */
  ip_address: string;
  user_agent: string;
  created_at: string;
};

export type AuthHook = {
  /** Contains the current token. */
  url: string;
  /** Without a secret, every call is refused. */
  has_secret: boolean;
  /** Templates by `email_action_type` of Supabase; the others are built in. */
  templates: Record<string, string>;
  last_called_at: string | null;
  /** Why the last call failed. */
  last_error: { code: string; params?: Record<string, unknown>; message: string; } | null;
};

export type Automation = {
  id: string;
  name: string;
  state: "draft" | "active" | "paused" | "stopped";
  /** The version that people enter. */
  version: number;
  trigger: AutomationTrigger;
  steps: Array<AutomationStep>;
  goal: AutomationGoal | null;
  reentry: AutomationReentry;
  /** Why the service paused it, if it did. */
  reasons: Array<{ code: string; params?: Record<string, unknown>; message: string; }> | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  people: { inside: number; entered: number; ended: number; };
};

export type AutomationGoal = { event?: string; where?: string; };

export type AutomationMails = {
  subject: string;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Recipients whose email the server may have. */
  unknown: number;
  /** Emails with an open. */
  opened: number;
  /** Emails whose first open is a person's. */
  opened_human: number;
  /** Emails with a click. */
  clicked: number;
  /** Emails with a click by a person. */
  clicked_human: number;
  /** Recipients who unsubscribed through the link in this email, even if they undid it. */
  unsubscribed: number;
};

export type AutomationProblemCode = 
  | "no_steps"
  | "step_unreachable"
  | "way_unreachable"
  | "condition_broken"
  | "template_missing"
  | "topic_missing"
  | "segment_missing"
  | "field_missing"
  | "tag_unused"
  | "mail_missing"
  | "subject_missing"
  | "mail_broken"
  | "mail_without_topic"
  | "mail_without_unsubscribe_link"
  | "mail_without_confirmation_link"
  | "webhook_missing"
  | "addresses_missing"
  | "variable_missing"
  | "nothing_to_set";

export type AutomationReentry = "never" | "always" | { after_days: number; };

export type AutomationRehearsal = {
  /** How many people would enter. */
  people: number;
  /** Fewer than all if the figures come from a sample. */
  looked_at: number;
  steps: Array<{ id: string; people: number; mails: number; }>;
  leaves: {
    goal: number;
    unsubscribed: number;
    suppressed: number;
    pending: number;
    completed: number;
  };
  mails: number;
  mails_by_day: Array<{
    /** 0 is the first 24 hours. */
    day: number;
    mails: number;
  }>;
  /** The most mails that one person gets. */
  most_mails: number;
  cost_usd: number;
  problems: Array<{
    code: AutomationProblemCode;
    params?: Record<string, unknown>;
    grade: "stop" | "warning";
    message: string;
    path: string;
  }>;
  /** The way of the subscriber, if one is named. */
  person: {
    /** False if the condition of the trigger keeps the person out. */
    enters: boolean;
    steps: Array<{
      id: string;
      at: string;
      /** Of a branch, the way taken; null for `else`. */
      way: number | null;
      /** The condition of that way. */
      where: string | null;
      /** Of a mail, whether the person gets it. */
      mailed: boolean | null;
      subject: string | null;
    }>;
    leaves: "goal" | "unsubscribed" | "suppressed" | "pending" | "completed";
    at: string;
  } | null;
};

export type AutomationReport = {
  /** The sums of all versions. */
  totals: {
    entered: number;
    inside: number;
    /** People who ended after the last step. */
    completed: number;
    /** People who left because they met the goal. */
    goal: number;
    unsubscribed: number;
    suppressed: number;
    deleted: number;
    /** People who were inside when the automation was stopped. */
    stopped: number;
    /** `goal` as a share of the people inside and ended, 0 to 1; null without people. */
    goal_rate: number | null;
  };
  /** The ten newest versions that people could enter, the newest first. */
  versions: Array<{
    version: number;
    created_at: string;
    /** Whether people inside move to a newer version at their next step. */
    moves_on: boolean;
    entered: number;
    inside: number;
    /** People who ended after the last step. */
    completed: number;
    /** People who left because they met the goal. */
    goal: number;
    unsubscribed: number;
    suppressed: number;
    deleted: number;
    /** People who were inside when the automation was stopped. */
    stopped: number;
    /** `goal` as a share of the people inside and ended, 0 to 1; null without people. */
    goal_rate: number | null;
    steps: Array<AutomationStepReport>;
  }>;
};

export type AutomationRun = {
  id: string;
  automation_id: string;
  automation_name: string;
  subscriber_id: string;
  /** Null once the subscriber is deleted. */
  email: string | null;
  version: number;
  /** The step of the person, or the last one; empty before the first. */
  step: string;
  state: "inside" | "ended";
  /** Null while the person is inside. */
  outcome: "completed" | "goal" | "unsubscribed" | "suppressed" | "deleted" | "stopped" | null;
  entered_at: string;
  moved_at: string;
  /** When the next step is due; null at the end, and until the person confirms. */
  due_at: string | null;
  ended_at: string | null;
  /** Its emails, the newest last. */
  mails: Array<{
    step: string;
    at: string;
    /** Null while the email is not in the log. */
    log_id: string | null;
  }>;
};

export type AutomationStep = {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "send";
  template_id?: string;
  /** That of the template by default. */
  subject?: string;
  html_body?: string;
  topic_id?: string;
  to?: "active" | "pending";
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "wait";
  /** 1 minute to 365 days, such as `90 minutes`, `3 days` or `2 weeks`. */
  for?: string;
  until?: {
    weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
    time: string;
    /** `recipient`, or a time zone of the IANA database. */
    zone?: string;
  };
  event?: {
    name: string;
    /** 1 minute to 365 days, such as `90 minutes`, `3 days` or `2 weeks`. */
    within: string;
  };
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "branch";
  ways: Array<{ where: string; steps: Array<AutomationStep>; }>;
  else?: Array<AutomationStep>;
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "set";
  add_tags?: Array<string>;
  remove_tags?: Array<string>;
  metadata?: Record<string, unknown>;
  /** Ids of topics: true subscribes, and false unsubscribes. */
  topics?: Record<string, boolean>;
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "webhook";
  url: string;
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "notify";
  emails: Array<string>;
} | {
  /** 1 to 40 of a-z, 0-9, - and _, unique in the automation. */
  id: string;
  type: "end";
};

export type AutomationStepReport = {
  id: string;
  type: string;
  /** People who rest at the step. */
  now: number;
  /** People who went on to another step. */
  passed: number;
  /** People who ended after the last step. */
  completed: number;
  /** People who left because they met the goal. */
  goal: number;
  unsubscribed: number;
  suppressed: number;
  deleted: number;
  /** People who were inside when the automation was stopped. */
  stopped: number;
  /** The emails of the step; null for steps that send none. */
  mails: AutomationMails | null;
};

export type AutomationTrigger = 
  | { type: "event"; event: string; where?: string; }
  | { type: "joined" | "confirmed" | "manual"; where?: string; }
  | { type: "topic"; topic_id: string; where?: string; }
  | { type: "tag_added" | "tag_removed"; tag: string; where?: string; }
  | { type: "segment"; segment_id: string; where?: string; }
  | { type: "date"; field: string; days?: number; yearly?: boolean; where?: string; };

export type Batch = {
  id: string;
  project_id: string;
  template_id: string | null;
  subject: string;
  state: "scheduled" | "sending" | "done";
  recipients: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  failures: Array<{
    index: number;
    to: string;
    status: "failed" | "bounced" | "suppressed";
    error: string;
    /** The code of a fault of the recipient, or the reason of a rejection (§11.7). */
    code?: string;
  }>;
  created_at: string;
  /** Null for a batch that began at once. */
  scheduled_at: string | null;
  finished_at: string | null;
};

export type BounceMailbox = {
  enabled: boolean;
  /** Empty until set. */
  host: string;
  port: number;
  user: string;
  folder: string;
  /** The last poll. */
  last_polled_at: string | null;
  /** Empty if the last poll succeeded. */
  last_error: string;
  /** The code of a connection message or of an error. */
  last_error_code?: string;
  last_error_params?: Record<string, unknown>;
};

export type BounceSettings = {
  /** Each 5xx to RCPT TO and each permanent report suppresses the address. */
  suppress_on_any_5xx: boolean;
  /** Which reports of the bounce mailbox count (API reference §14.2). */
  bounce_proof: "required" | "recent";
  /** Days with a soft bounce until the address is suppressed; 0 for never. */
  soft_bounce_limit: number;
  brakes: {
    bad_address_pct: number;
    sender_refusal_pct: number;
    sender_refusals_in_a_row: number;
    complaint_pct: number;
    sample_first: boolean;
  };
  return_path: string | null;
  forward_to: string | null;
};

export type Brand = {
  logo_url: string;
  logo_alt: string;
  logo_width: number;
  accent: string;
  accent_text: string;
  background: string;
  heading_font: string;
  text_font: string;
  postal_address: string;
  social: Array<{ label: string; url: string; }>;
};

export type Broadcast = {
  id: string;
  project_id: string;
  /** Null for HTML in the request. */
  template_id: string | null;
  subject: string;
  state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Why the broadcast was auto-paused: the text of `reasons`. */
  error: string | null;
  /** Why the broadcast was auto-paused, or did not go as planned. */
  reasons: Array<{ code: string; params?: Record<string, unknown>; message: string; }> | null;
  created_at: string;
  finished_at: string | null;
  /** Null for a broadcast that was not a draft. */
  name: string | null;
  send_at: string | null;
  /** Null for a draft. */
  starts_at: string | null;
};

export type BroadcastContent = {
  /** Of an A/B test: the winner, or else the first. */
  variant: string | null;
  subject: string;
  /** Its preview text, or else that of its template. */
  preheader: string;
  html_body: string;
  text_body: string;
};

export type BroadcastDetails = {
  id: string;
  project_id: string;
  /** Null for HTML in the request. */
  template_id: string | null;
  subject: string;
  state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Why the broadcast was auto-paused: the text of `reasons`. */
  error: string | null;
  /** Why the broadcast was auto-paused, or did not go as planned. */
  reasons: Array<{ code: string; params?: Record<string, unknown>; message: string; }> | null;
  created_at: string;
  finished_at: string | null;
  /** Null for a broadcast that was not a draft. */
  name: string | null;
  send_at: string | null;
  /** Null for a draft. */
  starts_at: string | null;
  own_subject: string | null;
  preview_text: string | null;
  /** Null for the name of the project. */
  from_name: string | null;
  reply_to: string | null;
  html_body: string | null;
  text_body: string | null;
  topic_id: string | null;
  segment_id: string | null;
  where: string | null;
  exclude_segment_ids: Array<string>;
  audience: string | null;
  variables: Record<string, unknown>;
  time_zone: string | null;
  max_delay_minutes: number | null;
  per_hour: number | null;
  warm_up: { first_day: number; } | null;
  ab: {
    variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>;
    share: number;
    wait_hours: number;
    by: "opens" | "clicks" | "manual";
  } | null;
  resend: { of: string; to: "failed" | "failed_or_unknown" | "joined" | "not_opened"; } | null;
  updated_at: string | null;
  /** What replaces the tracking of its template and project. */
  tracking: { opens?: boolean; clicks?: boolean; };
  /** What replaces the campaign parameters of the project; `off` for none on any link. */
  utm: "off" | { source?: string; medium?: string; campaign?: string; };
  waiting_for: { broadcast_id: string; name: string; } | null;
};

export type BroadcastProblem = {
  code: 
    | "broken_audience"
    | "empty_audience"
    | "unknown_topic"
    | "similar_broadcast"
    | "wrong_start_time"
    | "no_content"
    | "broken_content"
    | "too_large"
    | "invalid_link"
    | "no_sender"
    | "storage_full"
    | "missing_variable"
    | "no_unsubscribe_link"
    | "broken_link"
    | "clipped"
    | "placeholder"
    | "sender_problem"
    | "daily_limit"
    | "storage_short"
    | "paused_broadcast"
    | "identical_variants"
    | "link_not_https"
    | "link_unclear"
    | "no_text_part"
    | "image_without_alt"
    | "sender_warning";
  params?: Record<string, unknown>;
  grade: "stop" | "warning" | "hint";
  message: string;
  fix_in: "audience" | "broadcast" | "content" | "sender" | "server" | "service";
  broadcast_id?: string;
};

export type BroadcastRecipient = {
  subscriber_id: string;
  email: string;
  outcome: "sent" | "failed" | "bounced" | "suppressed" | "unknown" | "waiting" | "skipped";
  log_id: string | null;
  error: string | null;
  reason: string | null;
  sent_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
};

export type BuiltInTemplate = {
  name: string;
  subject: string;
  html_body: string;
  text_body: string;
  variables: Array<{ name: string; description: string; required: boolean; }>;
};

export type ConnectionCode = 
  | "not_connected"
  | "tls_not_started"
  | "not_logged_in"
  | "imap_not_logged_in"
  | "folder_not_opened"
  | "folder_missing"
  | "folder_name_invalid"
  | "unread_not_searched"
  | "messages_not_fetched"
  | "messages_not_marked"
  | "no_free_session"
  | "both_servers_failed"
  | "refused"
  | "refused_or_certificate"
  | "tls_failed"
  | "closed"
  | "closed_in_tls"
  | "connection_ended"
  | "session_ended"
  | "session_given_up"
  | "session_too_long"
  | "no_answer"
  | "line_too_long"
  | "text_before_tls"
  | "not_smtp"
  | "not_imap"
  | "not_imap4rev1"
  | "bdat_unknown"
  | "reply_out_of_place"
  | "response_out_of_place"
  | "response_too_long"
  | "text_too_long"
  | "session_too_large"
  | "server_answered"
  | "command_refused"
  | "server_left"
  | "login_refused"
  | "login_refused_with_methods"
  | "login_without_password"
  | "login_without_password_with_methods"
  | "login_methods_unknown"
  | "starttls_missing"
  | "seen_not_kept"
  | "ehlo_name_invalid"
  | "nul_in_smtp_login"
  | "nul_in_imap_login"
  | "not_loopback"
  | "name_unknown"
  | "address_missing"
  | "address_not_public"
  | "cloudflare_unreachable"
  | "port_in_plain_text"
  | "certificate_hidden"
  | "certificate_for_others"
  | "no_names"
  | "certificate_expired"
  | "certificate_self_signed"
  | "certificate_untrusted"
  | "no_recipient"
  | "too_many_recipients"
  | "sender_invalid"
  | "recipient_invalid"
  | "extension_missing"
  | "message_too_large"
  | "server_said"
  | "dns_silent"
  | "addresses_found"
  | "addresses_reachable"
  | "connected"
  | "connected_with_tls"
  | "tls_on"
  | "logged_in"
  | "login_skipped"
  | "login_not_needed"
  | "unread_counted";

export type Consents = {
  topics: Array<{
    topic_id: string;
    name: string;
    state: "subscribed" | "unsubscribed" | null;
    since: string | null;
    by: 
      | "member"
      | "api"
      | "import"
      | "join"
      | "waitlist"
      | "page"
      | "one_click"
      | "link"
      | "confirmation"
      | "provider"
      | "automation" | null;
  }>;
  history: Array<{
    topic_id: string | null;
    topic_name: string | null;
    action: "subscribed" | "unsubscribed" | "requested" | "confirmed";
    by: 
      | "member"
      | "api"
      | "import"
      | "join"
      | "waitlist"
      | "page"
      | "one_click"
      | "link"
      | "confirmation"
      | "provider"
      | "automation";
    at: string;
    ip_address: string;
    user_agent: string;
    form_text: string;
  }>;
};

export type DeadLetter = {
  id: string;
  /** Its own queue; empty if unknown. */
  queue: string;
  /** The type of its body; empty if it has none. */
  type: string;
  /** The size of the body. */
  bytes: number;
  /** The first 500 characters; null for a body that was not kept. */
  preview: string | null;
  failed_at: string;
  /** Null until a replay. */
  replayed_at: string | null;
  expires_at: string;
};

export type DeliveryReport = {
  /** The recipients at the start; the sum of the seven counts at any moment. */
  total: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Recipients whose email the server may have; the broadcast's `failed` includes them. */
  unknown: number;
  /** Recipients without an outcome; 0 at the end. */
  waiting: number;
  /** 0 until the end; then the recipients who left the list or were not reached before a cancellation. */
  skipped: number;
  /** Complaints since the start, or since it was last resumed. */
  complaints: number;
  /** Outcomes per minute; null before the first. */
  rate_per_minute: number | null;
  /** Null unless the broadcast is sending. Limits count. */
  estimated_end_at: string | null;
  /** When the limits of the broadcast or its server allow the next email; null unless it waits for them. */
  waiting_until: string | null;
  /** Recipients who have complained. */
  complained: number;
  /** Emails with an open. */
  opened: number;
  /** Emails whose first open is a person's. */
  opened_human: number;
  /** Emails with a click. */
  clicked: number;
  /** Emails with a click by a person. */
  clicked_human: number;
  /** Recipients who unsubscribed through the link in this email, even if they undid it. */
  unsubscribed: number;
  links: Array<{ url: string; clicked: number; clicked_human: number; }>;
};

export type Event = {
  name: string;
  data: Record<string, unknown>;
  occurred_at: string;
  received_at: string;
};

export type Field = {
  id: string;
  project_id: string;
  /** The key in the metadata; conditions name it `metadata.<key>`. */
  key: string;
  label: string;
  type: "text" | "number" | "date" | "boolean" | "choice" | "list" | "url";
  /** The values that forms offer for a choice or a list. */
  choices: Array<string>;
  created_at: string;
  updated_at: string;
};

export type FindingCode = 
  | "dns_not_answered"
  | "null_mx"
  | "mx_found"
  | "mx_missing"
  | "mx_and_address_missing"
  | "spf_missing"
  | "spf_several"
  | "spf_ignored"
  | "spf_open"
  | "spf_names_nobody"
  | "spf_includes_provider"
  | "spf_names_server"
  | "spf_lacks_server"
  | "spf_include_not_one"
  | "spf_unknown_term"
  | "spf_too_many_lookups"
  | "dmarc_missing"
  | "dmarc_several"
  | "dmarc_ignored"
  | "dmarc_policy"
  | "dmarc_reports"
  | "dmarc_no_reports"
  | "envelope_aligned"
  | "envelope_not_aligned"
  | "dkim_selector_unknown"
  | "dkim_key_missing"
  | "dkim_key_several"
  | "dkim_key_revoked"
  | "dkim_key_ignored"
  | "dkim_key_testing"
  | "dkim_key_ed25519"
  | "dkim_key_too_short"
  | "dkim_key_short"
  | "dkim_key_found"
  | "mail_unsigned"
  | "mail_signed_for_other"
  | "mail_body_changed"
  | "mail_wrong_key"
  | "mail_signature_valid"
  | "mail_signed";

export type Form = {
  id: string;
  project_id: string;
  name: string;
  is_open: boolean;
  /** The page of the form; its script has the suffix `.js`. */
  url: string;
  title: string;
  text: string;
  button: string;
  consent_text: string;
  name_field: "none" | "optional" | "required";
  fields: Array<{ key: string; required: boolean; }>;
  topics: Array<string>;
  choose_topics: boolean;
  double_opt_in: boolean;
  redirect_url: string | null;
  language: "en" | "de" | "fr" | "es" | "pt" | null;
  align: "left" | "center";
  accent: string | null;
  show_logo: boolean;
  embed_heading: boolean;
  created_at: string;
  updated_at: string;
};

export type Image = {
  id: string;
  project_id: string;
  /** The address of the bytes, for the HTML of emails. */
  url: string;
  name: string;
  /** Text for readers who do not see the image. */
  alt: string;
  /** The format of the bytes. */
  type: "png" | "jpeg" | "gif" | "webp";
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
  bytes: number;
  created_at: string;
};

export type Import = {
  id: string;
  project_id: string;
  name: string;
  /** Subscribers that it added. */
  imported: number;
  /** Subscribers in it that the project already had. */
  existing: number;
  created_at: string;
};

export type Invitation = {
  id: string;
  email: string;
  role: "owner" | "admin" | "developer" | "member" | "viewer";
  invited_by: string;
  created_at: string;
  expires_at: string;
};

export type KeyedRefusal = {
  error: string;
  code: RefusalCode;
  params?: Record<string, unknown>;
  details?: Array<{ code: string; params?: Record<string, unknown>; message: string; path: string; }>;
  problems?: Array<BroadcastProblem>;
  success: false;
};

export type ListedBroadcast = {
  id: string;
  project_id: string;
  /** Null for HTML in the request. */
  template_id: string | null;
  subject: string;
  state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  /** Why the broadcast was auto-paused: the text of `reasons`. */
  error: string | null;
  /** Why the broadcast was auto-paused, or did not go as planned. */
  reasons: Array<{ code: string; params?: Record<string, unknown>; message: string; }> | null;
  created_at: string;
  finished_at: string | null;
  /** Null for a broadcast that was not a draft. */
  name: string | null;
  send_at: string | null;
  /** Null for a draft. */
  starts_at: string | null;
  /** Emails with an open. */
  opened: number;
  /** Emails whose first open is a person's. */
  opened_human: number;
  /** Emails with a click. */
  clicked: number;
  /** Emails with a click by a person. */
  clicked_human: number;
  /** Recipients who unsubscribed through the link in this email, even if they undid it. */
  unsubscribed: number;
  /** With `include=opens_by_hour`: first opens by people in the 48 UTC hours from the one in which the broadcast began. */
  opens_by_hour?: Array<number>;
};

export type ListedForm = {
  id: string;
  project_id: string;
  name: string;
  is_open: boolean;
  /** The page of the form; its script has the suffix `.js`. */
  url: string;
  title: string;
  text: string;
  button: string;
  consent_text: string;
  name_field: "none" | "optional" | "required";
  fields: Array<{ key: string; required: boolean; }>;
  topics: Array<string>;
  choose_topics: boolean;
  double_opt_in: boolean;
  redirect_url: string | null;
  language: "en" | "de" | "fr" | "es" | "pt" | null;
  align: "left" | "center";
  accent: string | null;
  show_logo: boolean;
  embed_heading: boolean;
  created_at: string;
  updated_at: string;
  /** The subscribers that the form has added within 30 days. */
  signups: number;
  /** Those of them who are active. */
  active: number;
};

export type ListedTopic = {
  id: string;
  project_id: string;
  name: string;
  description: string;
  /** True if new subscribers get the topic unless their call names topics. */
  is_default: boolean;
  /** True if anybody may read its broadcasts in the archive of the project. */
  public_archive: boolean;
  /** Public if people may join the topic themselves. */
  visibility: "public" | "private";
  created_at: string;
  updated_at: string;
  /** Subscribers with a consent, whatever their status. */
  subscribers: {
    count: number;
    /** True if others, whose consents were not read, may have one. */
    more: boolean;
  };
};

export type LogEntry = {
  /** Also the local part of the Message-ID. */
  id: string;
  project_id: string;
  /** Null if the address belongs to no subscriber. */
  subscriber_id: string | null;
  /** Null for HTML in the request and for built-in templates. */
  template_id: string | null;
  /** Null outside broadcasts. */
  broadcast_id: string | null;
  /** Null outside automations. */
  automation_id: string | null;
  /** The step of the automation that sent it. */
  step_id: string | null;
  /** Empty after an erasure, as is the subject. */
  to_email: string;
  /** The first 998 characters, rendered. */
  subject: string;
  status: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
  /** Why the email was not accepted. */
  error: string | null;
  /** The reason of a rejection or bounce (API reference §11.7). */
  reason: string | null;
  /** Whether the outcome is that of the fallback server. */
  via_fallback: boolean;
  tags: Record<string, string>;
  copies: Array<{ email: string; status: string; error: string; reason?: string; }>;
  /** When the outcome was recorded; for a scheduled email, when it is due. */
  sent_at: string;
  /** When a scheduled email is due, while it waits. */
  scheduled_at?: string;
  /** The first open; later ones do not change it. */
  opened_at: string | null;
  /** The first click; later ones do not change it. */
  clicked_at: string | null;
  /** True for an email that no server got: of a test key, or to the simulator. */
  test?: boolean;
};

export type MailSettings = {
  /** What `from` of an email may be besides `from_email`: addresses, and domains such as `@acme.example`. */
  senders: Array<string>;
  /** Headers of every single email and email of a batch, unless it sets them itself. */
  send_headers: Record<string, string>;
  /** Headers of every email of a broadcast, unless it sets them itself. */
  broadcast_headers: Record<string, string>;
  /** Whether emails track opens and clicks, unless a template, broadcast or email sets it. */
  tracking: { opens: boolean; clicks: boolean; };
  /** The parameters `utm_source`, `utm_medium` and `utm_campaign` that links get; `{}` for none. */
  utm: { source?: string; medium?: string; campaign?: string; };
};

export type MailTimeline = {
  /** Also the local part of the Message-ID. */
  id: string;
  project_id: string;
  /** Null if the address belongs to no subscriber. */
  subscriber_id: string | null;
  /** Null for HTML in the request and for built-in templates. */
  template_id: string | null;
  /** Null outside broadcasts. */
  broadcast_id: string | null;
  /** Null outside automations. */
  automation_id: string | null;
  /** The step of the automation that sent it. */
  step_id: string | null;
  /** Empty after an erasure, as is the subject. */
  to_email: string;
  /** The first 998 characters, rendered. */
  subject: string;
  status: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
  /** Why the email was not accepted. */
  error: string | null;
  /** The reason of a rejection or bounce (API reference §11.7). */
  reason: string | null;
  /** Whether the outcome is that of the fallback server. */
  via_fallback: boolean;
  tags: Record<string, string>;
  copies: Array<{ email: string; status: string; error: string; reason?: string; }>;
  /** When the outcome was recorded; for a scheduled email, when it is due. */
  sent_at: string;
  /** When a scheduled email is due, while it waits. */
  scheduled_at?: string;
  /** The first open; later ones do not change it. */
  opened_at: string | null;
  /** The first click; later ones do not change it. */
  clicked_at: string | null;
  /** True for an email that no server got: of a test key, or to the simulator. */
  test?: boolean;
  explanation: {
    what_happened: string;
    code: TimelineCode;
    params?: Record<string, unknown>;
    what_to_do: string;
    what_to_do_code: TimelineCode;
  };
  /** The automation that sent it; null for other emails. */
  automation: {
    /** Null once the automation is deleted. */
    name: string | null;
    version: number;
    /** Null once the run is deleted. */
    run_id: string | null;
  } | null;
  /** The SMTP host; null if nothing was sent or the settings have been saved since. */
  server: string | null;
  /** How the session was encrypted, from the port; null without `server` and on loopback. */
  tls: "implicit" | "starttls" | null;
  /** The server's ID of the accepted email, at most 36 characters. */
  queue_id: string | null;
  attempts: Array<{ at: string; status: string; error: string | null; via_fallback: boolean; }>;
  /** The first open. */
  opens: Array<{ at: string; class: string | null; user_agent: string | null; }>;
  /** The first 100 recorded clicks. */
  clicks: Array<{ at: string; url: string; class: string | null; user_agent: string | null; }>;
  bounce: {
    at: string | null;
    /** `smtp` for the server's answer to the email. */
    reported_by: "smtp" | "imap" | "email" | "ingest" | null;
    /** The server's reply. */
    words: string | null;
  } | null;
  /** A complaint from the address since this email. */
  complaint: { at: string; } | null;
  /** The current entry of the address. */
  suppression: Suppression | null;
  webhook_deliveries: Array<{
    id: string;
    event_type: string;
    status: "pending" | "inflight" | "delivered" | "failed";
    attempts: number;
    /** Present if the last attempt got a response. */
    last_status_code?: number;
    /** Present if the last attempt failed. */
    last_error?: string;
    /** Present while the delivery is pending. */
    next_attempt_at?: string;
    /** Present after a success. */
    delivered_at?: string;
    created_at: string;
    webhook_id: string;
  }> | null;
};

export type Me = {
  license: {
    /** Null without a valid license. */
    tier: "pro" | "team" | null;
    features: Array<"webhooks" | "analytics" | "audit log" | "workspace members">;
    expires_at: string | null;
  };
  user: {
    id: string;
    email: string;
    name: string;
    email_verified: boolean;
    /** The email of the person who created the account. */
    created_by: string | null;
  };
  workspaces: Array<{
    id: string;
    name: string;
    role: "owner" | "admin" | "developer" | "member" | "viewer";
    capabilities: Array<
      | "read"
      | "audit:read"
      | "projects:write"
      | "projects:delete"
      | "api_keys:write"
      | "webhooks:write"
      | "templates:write"
      | "subscribers:write"
      | "events:write"
      | "send:transactional"
      | "send:broadcast"
      | "automations:write"
      | "suppressions:write"
      | "workspace:write"
      | "members:write">;
  }>;
};

export type Member = {
  user_id: string;
  email: string;
  name: string;
  role: "owner" | "admin" | "developer" | "member" | "viewer";
  joined_at: string;
  /** The person who created the account, or null. */
  created_by: string | null;
};

export type OpenTimes = {
  from: string;
  to: string;
  /** False if only the latest 20,000 pairs of an hour and a broadcast are counted. */
  is_complete: boolean;
  /** The UTC hours with first opens by people, of broadcasts only. */
  series: Array<{ bucket: string; opens: number; }>;
};

export type Preflight = {
  recipients: {
    active: number;
    suppressed: number;
    without_consent: number;
    too_soon: number;
    total: number;
  };
  problems: Array<BroadcastProblem>;
  looked_at: { subscribers: number; links: number; };
  expected: {
    mails: number;
    seconds: number;
    pace: 
      | "speed"
      | "max_per_second"
      | "max_per_hour"
      | "max_per_day"
      | "per_hour"
      | "warm_up"
      | "time_zones";
    cost_usd: number;
    log_bytes: number;
  };
};

export type Project = {
  id: string;
  workspace_id: string;
  name: string;
  description: string;
  /** Null until SMTP settings are saved. */
  from_name: string | null;
  /** Null: the sender is `smtp_user`, if that is an address. */
  from_email: string | null;
  /** Null until SMTP settings are saved. */
  smtp_host: string | null;
  smtp_port: number | null;
  smtp_user: string | null;
  fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null;
  /** The region in which the project's Durable Object is created. */
  location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null;
  created_at: string;
  updated_at: string;
};

export type ReadyMadeAutomation = {
  key: string;
  name: string;
  description: string;
  trigger: AutomationTrigger;
  steps: Array<AutomationStep>;
  goal?: AutomationGoal;
  reentry: AutomationReentry;
};

export type RecentMail = {
  id: string;
  template_id: string | null;
  broadcast_id: string | null;
  automation_id: string | null;
  step_id: string | null;
  subject: string;
  status: "sent" | "failed" | "bounced" | "suppressed";
  error: string | null;
  reason: string | null;
  sent_at: string;
  opened_at: string | null;
  clicked_at: string | null;
};

export type Refusal = {
  error: string;
  code: RefusalCode;
  params?: Record<string, unknown>;
  details?: Array<{ code: string; params?: Record<string, unknown>; message: string; path: string; }>;
  id?: string;
  broadcast_id?: string;
  steps?: Array<{
    step: 
      | "dns"
      | "address"
      | "connect"
      | "tls"
      | "greeting"
      | "ehlo"
      | "auth"
      | "mail"
      | "capability"
      | "login"
      | "folder"
      | "unread";
    ok: boolean;
    /** The duration of the step in milliseconds. */
    ms: number;
    /** The result of the step, including the server's reply. */
    detail?: string;
    code?: ConnectionCode;
    params?: Record<string, unknown>;
    /** What to change; only on a failed step. */
    remedy?: string;
    remedy_code?: RemedyCode;
    remedy_params?: Record<string, unknown>;
  }>;
  alternative?: {
    port: number;
    ok: boolean;
    steps: Array<{
      step: 
        | "dns"
        | "address"
        | "connect"
        | "tls"
        | "greeting"
        | "ehlo"
        | "auth"
        | "mail"
        | "capability"
        | "login"
        | "folder"
        | "unread";
      ok: boolean;
      /** The duration of the step in milliseconds. */
      ms: number;
      /** The result of the step, including the server's reply. */
      detail?: string;
      code?: ConnectionCode;
      params?: Record<string, unknown>;
      /** What to change; only on a failed step. */
      remedy?: string;
      remedy_code?: RemedyCode;
      remedy_params?: Record<string, unknown>;
    }>;
    /** What to change; only on a failed step. */
    remedy?: string;
    remedy_code?: RemedyCode;
    remedy_params?: Record<string, unknown>;
  };
  problems?: Array<BroadcastProblem>;
};

export type RefusalCode = 
  | "invalid_request"
  | "unknown_field"
  | "body_not_json"
  | "body_is_form"
  | "body_not_utf8"
  | "body_too_complex"
  | "body_too_slow"
  | "body_paused"
  | "search_without_csv"
  | "wrong_content_type"
  | "invalid_idempotency_key"
  | "session_required"
  | "license_required"
  | "foreign_site"
  | "not_found"
  | "method_not_allowed"
  | "idempotency_key_reused"
  | "first_request_running"
  | "first_outcome_unknown"
  | "precondition_failed"
  | "payload_too_large"
  | "rate_limited"
  | "hourly_limit_reached"
  | "too_many_searches"
  | "large_request_running"
  | "slow_request_displaced"
  | "database_unavailable"
  | "rate_limiter_unavailable"
  | "internal_error"
  | "misconfigured"
  | "storage_full"
  | "workspace_quota_reached"
  | "dead_letter_of_other_version"
  | "dead_letter_in_replay"
  | "queue_unavailable"
  | "broadcast_is_draft"
  | "broadcast_is_scheduled"
  | "broadcast_is_queued"
  | "broadcast_is_sending"
  | "broadcast_is_paused"
  | "broadcast_is_done"
  | "broadcast_is_cancelled"
  | "broadcast_changed"
  | "broadcast_has_problems"
  | "draft_not_sendable"
  | "no_unsubscribe_link"
  | "no_ab_test"
  | "winner_chosen"
  | "ab_test_in_planning"
  | "chunk_taken_over"
  | "automation_is_draft"
  | "automation_is_active"
  | "automation_is_paused"
  | "automation_is_stopped"
  | "automation_has_problems"
  | "automation_not_manual"
  | "too_many_automations"
  | "invalid_condition"
  | "smtp_not_configured"
  | "no_fallback_server"
  | "no_from_address"
  | "sender_not_allowed"
  | "account_not_mailable"
  | "subscriber_not_mailable"
  | "empty_mail"
  | "template_syntax_error"
  | "template_render_error"
  | "invalid_attachment"
  | "attachment_not_fetched"
  | "too_many_headers"
  | "invalid_header_name"
  | "header_reserved"
  | "header_repeated"
  | "header_too_long"
  | "header_line_too_long"
  | "header_with_line_break"
  | "header_not_ascii"
  | "malformed_header"
  | "mail_of_broadcast"
  | "mail_content_not_kept"
  | "mail_accepted"
  | "mail_outcome_unknown"
  | "mail_still_tried"
  | "mail_not_waiting"
  | "batch_not_waiting"
  | "scheduled_mail_too_large"
  | "address_not_usable"
  | "template_gone"
  | "subscriber_gone"
  | "address_suppressed"
  | "suppressed"
  | "opted_out"
  | "subscriber_left"
  | "nothing_to_confirm"
  | "mailbox_limit_reached"
  | "mail_server_limit_reached"
  | "mail_server_limits_unavailable"
  | "sender_busy"
  | "no_service_sender"
  | "other_service_sender"
  | "smtp_failed"
  | "no_email_in_payload"
  | "mailbox_not_configured"
  | "invalid_ingest_token"
  | "signature_required"
  | "invalid_report_signature"
  | "report_signature_reused"
  | "sns_field_missing"
  | "sns_message_expired"
  | "sns_url_foreign"
  | "sns_signature_wrong"
  | "sns_topic_not_set"
  | "sns_topic_differs"
  | "sns_not_confirmed"
  | "sns_certificate_unavailable"
  | "mail_not_logged_yet"
  | "mailbox_failed"
  | "invalid_hook_token"
  | "hook_without_secret"
  | "invalid_hook_signature"
  | "invalid_hook_body"
  | "hook_action_without_template"
  | "webhook_paused"
  | "too_many_webhooks"
  | "session_over"
  | "wrong_login"
  | "address_not_confirmed"
  | "no_project_access"
  | "no_workspace_access"
  | "no_workspace"
  | "role_lacks_capability"
  | "capability_not_held"
  | "no_longer_owner"
  | "operator_required"
  | "project_settings_closed"
  | "registration_closed"
  | "setup_token_unset"
  | "wrong_setup_token"
  | "accounts_by_invitation"
  | "invitation_of_other"
  | "email_registered"
  | "has_account"
  | "address_confirmed_already"
  | "already_member"
  | "already_invited"
  | "too_many_access_tokens"
  | "last_owner"
  | "workspace_not_empty"
  | "invitation_over"
  | "link_over"
  | "user_code_over"
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | "authentication_required"
  | "invalid_api_key"
  | "access_token_over"
  | "wrong_key_type"
  | "public_key_refused"
  | "key_lacks_capability"
  | "key_of_other_project"
  | "access_token_of_other_projects"
  | "person_required"
  | "smtp_settings_changed"
  | "mail_host_not_allowed"
  | "smtp_password_unreadable"
  | "too_many_saved_blocks"
  | "project_not_empty"
  | "ids_of_other_project"
  | "automation_active"
  | "not_an_export"
  | "export_incomplete"
  | "subscriber_exists"
  | "topic_exists"
  | "too_many_topics"
  | "topic_in_use"
  | "topic_in_conditions"
  | "topic_name_in_conditions"
  | "topic_named_meanwhile"
  | "segment_exists"
  | "too_many_segments"
  | "segment_in_use"
  | "field_exists"
  | "too_many_fields"
  | "too_many_forms"
  | "audience_deleted_meanwhile"
  | "email_kept_changing"
  | "erasure_running"
  | "images_not_bound"
  | "image_is_svg"
  | "not_an_image"
  | "image_damaged"
  | "image_size_not_allowed"
  | "image_library_full"
  | "image_being_removed"
  | "csv_open_quote"
  | "csv_text_after_quote"
  | "csv_stray_quote"
  | "empty_file"
  | "no_email_column"
  | "too_many_columns"
  | "too_many_rows"
  | "twin_columns"
  | "foreign_list"
  | "unknown_columns"
  | "opt_outs_unknown"
  | "import_adds_suppressions"
  | "already_on_waitlist"
  | "joins_used_up"
  | "turnstile_token_missing"
  | "turnstile_rejected"
  | "turnstile_unavailable"
  | "report_too_large"
  | "invalid_link"
  | "unknown_form"
  | "link_to_former_address"
  | "invalid_undo_token"
  | "undo_over";

export type RemedyCode = 
  | "check_host_name"
  | "enter_mail_host"
  | "turn_off_proxy"
  | "use_public_host"
  | "test_again"
  | "check_smtp_host"
  | "client_refused"
  | "check_smtp_port"
  | "use_own_domain"
  | "use_port_465"
  | "use_port_587"
  | "use_other_port"
  | "check_smtp_login"
  | "use_other_server"
  | "look_for_mail"
  | "use_allowed_sender"
  | "check_recipients"
  | "set_up_domain"
  | "check_imap_host"
  | "check_imap_server"
  | "use_port_993"
  | "enable_password_login"
  | "check_imap_login"
  | "check_folder"
  | "check_tls_port"
  | "use_covered_host"
  | "renew_certificate"
  | "get_certificate"
  | "send_chain";

export type SavedBlock = {
  id: string;
  project_id: string;
  name: string;
  /** The block as the dashboard's editor stores it. */
  block: Record<string, unknown>;
  created_at: string;
};

export type Scheduled = {
  id: string;
  kind: "email" | "batch";
  /** Null for HTML in the request. */
  template_id: string | null;
  /** Of a batch, with its variables. */
  subject: string;
  /** The recipient of an email; null for a batch. */
  to_email: string | null;
  /** How many get an email of a batch; 1 for an email. */
  recipients: number;
  scheduled_at: string;
};

export type Segment = {
  id: string;
  project_id: string;
  name: string;
  /** The condition as text. */
  where: string;
  /** The condition as JSON; null if this version cannot read the text. */
  condition: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
};

export type SenderReport = {
  domain: string;
  envelope_domain: string;
  verdict: "ok" | "warning" | "problem" | "unknown";
  questions: number;
  items: Array<{
    check: "mx" | "spf" | "dmarc" | "alignment" | "dkim";
    /** The domain that the item is about. */
    domain: string;
    verdict: "ok" | "warning" | "problem" | "unknown";
    /** The DNS records: at most 10 of at most 1,000 characters. */
    found: Array<string>;
    /** Human-readable sentences. */
    explanation: string;
    code: FindingCode;
    params?: Record<string, unknown>;
    record: { name: string; type: "TXT" | "MX"; value: string; } | null;
  }>;
};

export type Sending = {
  max_connections: number;
  max_per_second: number | null;
  max_per_hour: number | null;
  max_per_day: number | null;
  max_per_domain_per_minute: number | null;
  used: { connections: number; last_hour: number; last_day: number; };
  learned: {
    connections: { limit: number; at: string; why: string; } | null;
    per_minute: { limit: number; at: string; why: string; } | null;
  };
  /** What the project's sender is doing now. */
  sender: {
    /** Emails handed to the mail server that it has not answered. */
    in_flight: number;
    /** Emails waiting for a connection or a limit. */
    waiting: number;
    /** Connections to the mail server: `used.connections`. */
    connections: number;
    /** The broadcast or batch being sent. */
    work: {
      kind: "broadcast" | "batch";
      id: string;
      /** Its name, or its subject if it has none. */
      name: string;
    } | null;
    /** When the sender runs next; null while it runs or nothing is scheduled. */
    next_at: string | null;
    /** Set while emails go to the fallback first because the first server failed. */
    cooldown: { server: "first"; until: string; error: string; } | null;
  };
  preset: {
    name: string;
    limits: {
      max_connections: number;
      max_per_second: number | null;
      max_per_hour: number | null;
      max_per_day: number | null;
      max_per_domain_per_minute: number | null;
    };
    note: string | null;
    source: string;
  } | null;
};

export type Series = {
  from: string;
  to: string;
  granularity: "hour" | "day" | "week" | "month";
  series: Array<{
    bucket: string;
    sent: number;
    delivered: number;
    failed: number;
    bounced: number;
    opened: number;
    clicked: number;
    unsubscribed: number;
  }>;
};

export type Session = {
  id: string;
  created_at: string;
  /** Written at most once an hour. */
  last_seen_at: string;
  expires_at: string;
  ip_address: string;
  user_agent: string;
  /** Whether it is the session of the request. */
  current: boolean;
};

export type Subscriber = {
  id: string;
  project_id: string;
  /** Unique within the project. */
  email: string;
  name: string;
  status: "active" | "pending" | "unsubscribed";
  metadata: Record<string, unknown>;
  tags: Array<string>;
  subscribed_at: string;
  /** When the status last became `unsubscribed`; stays after a reactivation. */
  unsubscribed_at: string | null;
  created_at: string;
  updated_at: string;
};

export type Suppression = {
  id: string;
  project_id: string;
  /** Lowercase; unique within the project. */
  email: string;
  reason: "hard_bounce" | "unsubscribed" | "manual";
  /** Free text. */
  source: string;
  created_at: string;
  /** Updated when a later send hits the entry. */
  last_seen_at: string;
};

export type Template = {
  id: string;
  project_id: string;
  name: string;
  /** May contain variables. */
  subject: string;
  html_body: string;
  /** Empty: generated from the HTML. */
  text_body: string;
  /** Whether a waitlist call may use the template. */
  public: boolean;
  /** Shown next to the subject; may contain variables. */
  preheader: string;
  /** What replaces the tracking of the project. */
  tracking: { opens?: boolean; clicks?: boolean; };
  created_at: string;
  updated_at: string;
};

export type TemplatePreview = {
  subject: string | null;
  preheader: string | null;
  html_body: string | null;
  text_body: string | null;
  bytes: number | null;
  problems: Array<{
    code: 
      | "syntax"
      | "render"
      | "empty"
      | "unknown_variable"
      | "broadcasts_only"
      | "no_unsubscribe_link"
      | "link"
      | "image_without_alt"
      | "placeholder"
      | "too_large"
      | "no_text_part"
      | "no_subject";
    severity: "error" | "warning";
    field: "subject" | "preheader" | "html_body" | "text_body";
    line: number | null;
    column: number | null;
    params?: Record<string, unknown>;
    message: string;
  }>;
  links: Array<{ url: string; tracked: boolean; line: number | null; column: number | null; }>;
};

export type TemplateSummary = {
  id: string;
  project_id: string;
  name: string;
  /** May contain variables. */
  subject: string;
  /** Whether a waitlist call may use the template. */
  public: boolean;
  /** Shown next to the subject; may contain variables. */
  preheader: string;
  /** What replaces the tracking of the project. */
  tracking: { opens?: boolean; clicks?: boolean; };
  created_at: string;
  updated_at: string;
};

export type TemplateVersion = {
  id: string;
  template_id: string;
  name: string;
  subject: string;
  /** The `updated_at` of the template in this state. */
  saved_at: string;
};

export type TimelineCode = 
  | "simulated"
  | "waiting"
  | "accepted"
  | "complained"
  | "clicked"
  | "link_visited"
  | "opened"
  | "images_loaded"
  | "suppressed"
  | "opted_out"
  | "outcome_unknown"
  | "undeliverable"
  | "not_sent"
  | "refused"
  | "returned"
  | "user_unknown"
  | "mailbox_disabled"
  | "host_unknown"
  | "no_mx"
  | "mailbox_full"
  | "sender_rejected"
  | "blocked"
  | "policy"
  | "authentication"
  | "content"
  | "too_large"
  | "relaying_denied"
  | "system"
  | "unknown"
  | "rate_limited"
  | "greylisted"
  | "network"
  | "expired"
  | "nothing_to_do"
  | "move_or_cancel"
  | "nothing_more_to_learn"
  | "stop_mailing"
  | "send_again"
  | "ask_before_removing"
  | "respect_unsubscribe"
  | "remove_from_list"
  | "ask_recipient"
  | "ask_for_address"
  | "ask_for_address_suppressed"
  | "check_address"
  | "check_domain"
  | "correct_error"
  | "wait_for_room"
  | "check_sender"
  | "leave_blocklist"
  | "read_rule"
  | "set_up_authentication"
  | "change_content"
  | "make_smaller"
  | "check_login"
  | "tell_operator"
  | "read_error"
  | "send_slower"
  | "send_soon"
  | "try_later";

export type Topic = {
  id: string;
  project_id: string;
  name: string;
  description: string;
  /** True if new subscribers get the topic unless their call names topics. */
  is_default: boolean;
  /** True if anybody may read its broadcasts in the archive of the project. */
  public_archive: boolean;
  /** Public if people may join the topic themselves. */
  visibility: "public" | "private";
  created_at: string;
  updated_at: string;
};

export type UsedField = {
  id: string;
  project_id: string;
  /** The key in the metadata; conditions name it `metadata.<key>`. */
  key: string;
  label: string;
  type: "text" | "number" | "date" | "boolean" | "choice" | "list" | "url";
  /** The values that forms offer for a choice or a list. */
  choices: Array<string>;
  created_at: string;
  updated_at: string;
  /** The segments, templates, drafts and automations that name the field. */
  uses: Array<{ kind: "segment" | "template" | "broadcast" | "automation"; id: string; name: string; }>;
};

export type User = { id: string; email: string; name: string; };

export type Warning = { code: string; params?: Record<string, unknown>; message: string; path: string; };

export type Webhook = {
  id: string;
  /** Only the origin without `webhooks:write`. */
  url: string;
  /** 64 hexadecimal characters in the answer to the creation; empty afterward. */
  secret: string;
  /** An empty list selects all events, including future ones. */
  events: Array<string>;
  active: boolean;
  /** Whose payload and headers it gets; never changes. */
  format: "postrider" | "resend";
  created_at: string;
};

export type WebhookDelivery = {
  id: string;
  event_type: string;
  status: "pending" | "inflight" | "delivered" | "failed";
  attempts: number;
  /** Present if the last attempt got a response. */
  last_status_code?: number;
  /** Present if the last attempt failed. */
  last_error?: string;
  /** Present while the delivery is pending. */
  next_attempt_at?: string;
  /** Present after a success. */
  delivered_at?: string;
  created_at: string;
};

export type Workspace = { id: string; name: string; created_by: string; created_at: string; updated_at: string; };

/** Calls without a credential. */
export interface PublicCalls {
  auth: {
    device: {
      /** Begins the login of a program, which a person confirms in the browser. */
      begin: Call<{ body: { name: string; }; }, {
        device_code: string;
        user_code: string;
        verification_uri: string;
        verification_uri_complete: string;
        /** Seconds. */
        expires_in: number;
        /** Seconds between two polls. */
        interval: number;
      }>;
      /** Returns the access token of a confirmed login, once. */
      poll: Call<{ body: { device_code: string; }; }, {
        access_token: string;
        token_type: "Bearer";
        /** Seconds. */
        expires_in: number;
      }>;
    };
    /** Emails a link to set a new password. */
    forgotPassword: Call<{
      body: {
        /** An email address. */
        email: string;
      };
    }, undefined>;
    /** Logs in a person. */
    login: Call<{ body: { email: string; password: string; }; }, { user: User; }>;
    /** Registers a person and logs them in. */
    register: Call<{
      body: {
        /** An email address. */
        email: string;
        name: string;
        password: string;
        setup_token?: string;
      };
    }, { user: User; }>;
    /** Sets a new password with the token of an emailed link. */
    resetPassword: Call<{ body: { token: string; password: string; }; }, undefined>;
    /** Returns whether the first account is still missing, and who may register. */
    setup: Call<{}, { needed: boolean; registration: "open" | "setup_token" | "closed"; }>;
  };
  invitations: {
    /** Accepts an invitation with its emailed token. */
    accept: Call<{ body: { token: string; name?: string; password?: string; }; }, { workspace: { id: string; name: string; }; } | { workspace: { id: string; name: string; }; user: User; }>;
    /** Returns the invitation of an emailed token. */
    lookUp: Call<{ body: { token: string; }; }, {
      email: string;
      role: "owner" | "admin" | "developer" | "member" | "viewer";
      workspace: { id: string; name: string; };
      invited_by: string;
      has_account: boolean;
      expires_at: string;
    }>;
  };
  projects: {
    waitlist: {
      /** Adds an address to the waitlist; works from a web page. */
      join: Call<{
        projectId: string;
        body: {
          /** An email address. */
          email: string;
          template_id?: string;
          topics?: Array<string>;
          turnstile_token?: string;
          "cf-turnstile-response"?: string;
        };
      }, { message: "added to waitlist"; }>;
    };
  };
  service: {
    /** Checks the service and its database. */
    health: Call<{}, {
      status: "ok";
      dead_letters: number;
      storage: { level: string; used_pct: number | null; log_retention_days: number; };
    }>;
    /** Returns this document. */
    openapi: Call<{}, Record<string, unknown>>;
    /** Returns the version of the service. */
    version: Call<{}, {
      name: string;
      version: string;
      deployment_mode: "self_hosted" | "cloud";
      enabled: boolean;
    }>;
  };
}

/** Calls with a project key (`sk_`), an access token (`pat_`) or a session. */
export interface ProjectCalls {
  projects: {
    audience: {
      /** Imports a list exported by another service, or shows what that would do. */
      import: Call<{
        projectId: string;
        format?: 
          | "listmonk"
          | "mailchimp_cleaned"
          | "mailchimp_unsubscribed"
          | "mailchimp_subscribed"
          | "brevo"
          | "mailerlite"
          | "resend"
          | "plunk"
          | "sendgrid_contacts"
          | "postmark_suppressions"
          | "ses_suppressions"
          | "sendgrid_bounces"
          | "sendgrid_invalid_emails"
          | "sendgrid_spam_reports"
          | "sendgrid_unsubscribes"
          | "mailgun_bounces"
          | "mailgun_unsubscribes"
          | "mailgun_complaints";
        status?: "active" | "pending" | "unsubscribed";
        import_id?: string;
        dry_run?: "true" | "false";
        body: {
          /** The CSV file. */
          file: string;
          format?: 
            | "listmonk"
            | "mailchimp_cleaned"
            | "mailchimp_unsubscribed"
            | "mailchimp_subscribed"
            | "brevo"
            | "mailerlite"
            | "resend"
            | "plunk"
            | "sendgrid_contacts"
            | "postmark_suppressions"
            | "ses_suppressions"
            | "sendgrid_bounces"
            | "sendgrid_invalid_emails"
            | "sendgrid_spam_reports"
            | "sendgrid_unsubscribes"
            | "mailgun_bounces"
            | "mailgun_unsubscribes"
            | "mailgun_complaints";
          mapping?: {
            email?: string;
            name?: Array<string>;
            tags?: string;
            topics?: string;
            status?: {
              column: string;
              values?: Record<string, 
                | "active"
                | "pending"
                | "unsubscribed"
                | "opted_out"
                | "bounced"
                | "complained"
                | "blocked"
                | "ignored">;
            };
            metadata?: Record<string, string>;
          };
          status?: "active" | "pending" | "unsubscribed";
          topics?: Array<string>;
          tags?: Array<string>;
          import_id?: string;
          dry_run?: boolean;
        };
      }, {
        dry_run: boolean;
        format: 
          | "listmonk"
          | "mailchimp_cleaned"
          | "mailchimp_unsubscribed"
          | "mailchimp_subscribed"
          | "brevo"
          | "mailerlite"
          | "resend"
          | "plunk"
          | "sendgrid_contacts"
          | "postmark_suppressions"
          | "ses_suppressions"
          | "sendgrid_bounces"
          | "sendgrid_invalid_emails"
          | "sendgrid_spam_reports"
          | "sendgrid_unsubscribes"
          | "mailgun_bounces"
          | "mailgun_unsubscribes"
          | "mailgun_complaints" | null;
        columns: Array<string>;
        mapping: {
          email?: string;
          name: Array<string>;
          tags?: string;
          topics?: string;
          metadata: Record<string, string>;
        };
        needs: Array<"mapping" | "status" | "suppressions:write">;
        rows: number;
        imported: number;
        unsubscribed: number;
        suppressed: number;
        skipped: number;
        /** Skipped rows whose address is in an earlier row, too. */
        duplicates: number;
        ignored: number;
        rejected_rows: number;
        rejected: Array<{
          line: number;
          email: string;
          reason: "invalid_syntax" | "invalid_status" | "invalid_metadata" | "no_mx" | "disposable";
        }>;
        sample: Array<{
          email: string;
          name: string;
          outcome: 
            | "active"
            | "pending"
            | "unsubscribed"
            | "opted_out"
            | "bounced"
            | "complained"
            | "blocked"
            | "ignored";
          tags: Array<string>;
          metadata: Record<string, unknown>;
        }>;
      }>;
    };
    audienceSettings: {
      /** Returns the audience settings of a project. */
      get: Call<{ projectId: string; }, AudienceSettings>;
      /** Changes the audience settings of a project. */
      save: Call<{
        projectId: string;
        body?: {
          /** Whether people who join through a form become active only after confirming by email. */
          double_opt_in?: boolean;
          confirmation_template_id?: string;
          /** The text next to your forms, stored in the consent history. */
          form_text?: string;
          /** The language of pages and emails for subscribers. */
          language?: "en" | "de" | "fr" | "es" | "pt";
          min_days_between_broadcasts?: number;
          click_ip_days?: number;
          /** The site key of the same widget, which the pages of forms show; `""` for none. */
          turnstile_site_key?: string;
          joins_per_day?: number;
          automations?: {
            /** When no automation mails anybody. */
            quiet_hours: {
              /** A time of day, such as `22:00`. */
              from: string;
              to: string;
              /** `recipient`, or a time zone of the IANA database. */
              zone?: string;
            } | null;
            /** The most mails of all automations to one subscriber in seven days; 0 for no limit. */
            max_per_week: number;
          };
          /** The secret key of a Cloudflare Turnstile widget. "" clears it. */
          turnstile_secret?: string;
        };
      }, AudienceSettings>;
    };
    authHooks: {
      /** Returns the hook by which an authentication service sends its emails. */
      get: Call<{ projectId: string; service: string; }, AuthHook>;
      /** Replaces the token in the URL of a hook. */
      rotate: Call<{ projectId: string; service: string; }, AuthHook>;
      /** Changes the hook by which an authentication service sends its emails. */
      save: Call<{
        projectId: string;
        service: string;
        body?: {
          /** The secret with which the service signs; empty to accept no call. */
          secret?: string;
          /** Templates by `email_action_type` of Supabase; the others are built in. */
          templates?: Record<string, string>;
        };
      }, AuthHook>;
    };
    automations: {
      /** Saves an automation as a draft. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          trigger: AutomationTrigger;
          steps?: Array<AutomationStep>;
          /** An object without fields is none. */
          goal?: AutomationGoal;
          reentry?: AutomationReentry;
        };
      }, Automation>;
      /** Deletes a draft or a stopped automation with its runs. */
      delete: Call<{ projectId: string; automationId: string; }, undefined>;
      /** Lets up to 1,000 subscribers into an active automation with the trigger `manual`. */
      enter: Call<{
        projectId: string;
        automationId: string;
        body?: { subscriber_ids?: Array<string>; where?: string | Record<string, unknown>; };
      }, {
        entered: number;
        /** True if others match: call again to let them in. */
        more: boolean;
      }>;
      /** Returns an automation. */
      get: Call<{ projectId: string; automationId: string; }, Automation>;
      /** Lists the automations of a project, the newest first. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        state?: "draft" | "active" | "paused" | "stopped";
      }, { automations: Array<Automation>; total?: number; next?: string | null; }, Automation>;
      /** Pauses an automation: nobody enters it or moves in it. */
      pause: Call<{ projectId: string; automationId: string; }, Automation>;
      /** Lists complete automations to begin with, in the look of the project. */
      readyMade: Call<{ projectId: string; language?: "en" | "de"; }, { automations: Array<ReadyMadeAutomation>; }>;
      /** Tells what an automation would do now, to everybody or to one subscriber. */
      rehearse: Call<{ projectId: string; automationId: string; body?: { subscriber_id?: string; }; }, AutomationRehearsal>;
      /** Counts the people and emails of an automation by version and step. */
      report: Call<{ projectId: string; automationId: string; }, AutomationReport>;
      /** Lists the runs of an automation, newest first. */
      runs: PagedCall<{
        projectId: string;
        automationId: string;
        limit?: number;
        offset?: number;
        after?: string;
        subscriber_id?: string;
        state?: "inside" | "ended";
        step?: string;
      }, { runs: Array<AutomationRun>; next: string | null; }, AutomationRun>;
      /** Starts an automation, or resumes a paused one. */
      start: Call<{ projectId: string; automationId: string; }, Automation>;
      /** Stops an automation for good, and ends its runs. */
      stop: Call<{ projectId: string; automationId: string; }, Automation>;
      /** Changes an automation; of one that runs, makes a new version. */
      update: Call<{
        projectId: string;
        automationId: string;
        body?: {
          name?: string;
          trigger?: AutomationTrigger;
          steps?: Array<AutomationStep>;
          /** An object without fields is none. */
          goal?: AutomationGoal;
          reentry?: AutomationReentry;
          /** Whether people who are inside stay on their version. */
          inside?: "stay" | "move";
        };
      }, Automation>;
    };
    batches: {
      /** Cancels a scheduled batch. */
      cancel: Call<{ projectId: string; batchId: string; }, undefined>;
      /** Returns a batch with its counts and a page of its failures. */
      get: Call<{ projectId: string; batchId: string; limit?: number; offset?: number; }, Batch>;
      /** Moves a scheduled batch to another time. */
      reschedule: Call<{ projectId: string; batchId: string; body: { scheduled_at: string; }; }, { id: string; scheduled_at: string; }>;
    };
    bounceMailbox: {
      /** Returns the bounce mailbox of a project. */
      get: Call<{ projectId: string; }, BounceMailbox>;
      /** Saves the bounce mailbox of a project. */
      save: Call<{
        projectId: string;
        body: {
          enabled: boolean;
          host?: string;
          port?: number;
          user?: string;
          password?: string;
          folder?: string;
        };
      }, BounceMailbox>;
    };
    bounceSettings: {
      /** Returns the bounce settings of a project. */
      get: Call<{ projectId: string; }, BounceSettings>;
      /** Changes the bounce settings of a project. */
      save: Call<{
        projectId: string;
        body?: {
          /** Each 5xx to RCPT TO and each permanent report suppresses the address. */
          suppress_on_any_5xx?: boolean;
          /** Which reports of the bounce mailbox count (API reference §14.2). */
          bounce_proof?: "required" | "recent";
          /** Days with a soft bounce until the address is suppressed; 0 for never. */
          soft_bounce_limit?: number;
          brakes?: {
            bad_address_pct?: number;
            sender_refusal_pct?: number;
            sender_refusals_in_a_row?: number;
            complaint_pct?: number;
            sample_first?: boolean;
          };
          return_path?: string;
          forward_to?: string;
        };
      }, BounceSettings>;
    };
    bounceUrl: {
      /** Returns the URL that receives bounce reports. */
      get: Call<{ projectId: string; }, {
        /** Contains the current token. */
        url: string;
        /** When the token was created. */
        rotated_at: string;
      }>;
      /** Replaces the token of the URL that receives bounce reports. */
      rotate: Call<{ projectId: string; }, {
        /** Contains the current token. */
        url: string;
        /** When the token was created. */
        rotated_at: string;
      }>;
      signatures: {
        /** Returns the signature settings for bounce reports. */
        get: Call<{ projectId: string; }, {
          proof: "token" | "signature";
          sns_topic_arn: string;
          sendgrid_public_key: string;
          has_mailgun_signing_key: boolean;
          has_resend_signing_key: boolean;
          has_postal_signing_key: boolean;
          has_zeptomail_signing_key: boolean;
          has_lettermint_signing_key: boolean;
        }>;
        /** Changes the signature settings for bounce reports. */
        save: Call<{
          projectId: string;
          body?: {
            /** With `signature`, a report without a verified signature is 401. */
            proof?: "token" | "signature";
            sns_topic_arn?: string;
            sendgrid_public_key?: string;
            mailgun_signing_key?: string;
            resend_signing_key?: string;
            postal_signing_key?: string;
            zeptomail_signing_key?: string;
            lettermint_signing_key?: string;
          };
        }, {
          proof: "token" | "signature";
          sns_topic_arn: string;
          sendgrid_public_key: string;
          has_mailgun_signing_key: boolean;
          has_resend_signing_key: boolean;
          has_postal_signing_key: boolean;
          has_zeptomail_signing_key: boolean;
          has_lettermint_signing_key: boolean;
        }>;
      };
    };
    bounces: {
      /** Shows how the service interprets a bounce message or an SMTP reply. */
      explain: Call<{ projectId: string; body: { message: string; } | { reply: string; phase?: string; }; }, {
        kind: "bounce" | "complaint" | "other";
        recipients: Array<{
          email: string;
          verdict: "bad_address" | "not_address" | "temporary";
          reason: 
            | "user_unknown"
            | "mailbox_disabled"
            | "host_unknown"
            | "no_mx"
            | "mailbox_full"
            | "sender_rejected"
            | "blocked"
            | "policy"
            | "authentication"
            | "content"
            | "too_large"
            | "relaying_denied"
            | "system"
            | "unknown"
            | "rate_limited"
            | "greylisted"
            | "network"
            | "expired";
          because: { wording: string; source: string; } | null;
          diagnostic: string;
        }>;
        message_ids: Array<string>;
      } | {
        verdict: "bad_address" | "not_address" | "temporary";
        reason: 
          | "user_unknown"
          | "mailbox_disabled"
          | "host_unknown"
          | "no_mx"
          | "mailbox_full"
          | "sender_rejected"
          | "blocked"
          | "policy"
          | "authentication"
          | "content"
          | "too_large"
          | "relaying_denied"
          | "system"
          | "unknown"
          | "rate_limited"
          | "greylisted"
          | "network"
          | "expired";
        because: { wording: string; source: string; } | null;
      }>;
    };
    brand: {
      /** Returns the brand of a project. */
      get: Call<{ projectId: string; }, Brand>;
      /** Changes the brand of a project. */
      save: Call<{
        projectId: string;
        body?: {
          /** The logo: a URL that starts with https://, or an image of this service. "" clears it. */
          logo_url?: string;
          /** What the logo shows, for those who do not see it. "" clears it. */
          logo_alt?: string;
          /** The width of the logo in pixels, 160 by default. */
          logo_width?: number;
          /** The color of buttons and links, such as `#1d4ed8`. "" clears it. */
          accent?: string;
          /** The color of text on the accent, with a contrast of at least 4.5; by default black or white. "" clears it. */
          accent_text?: string;
          /** The color behind the content of emails and pages. "" clears it. */
          background?: string;
          /** The font of headings: sans, serif, arial, verdana, tahoma, trebuchet, times, courier. "" clears it. */
          heading_font?: string;
          /** The font of everything else. "" clears it. */
          text_font?: string;
          /** The postal address in the footer. "" clears it. */
          postal_address?: string;
          social?: Array<{ label: string; url: string; }>;
        };
      }, Brand>;
    };
    broadcasts: {
      /** Returns whether the archive of its topic shows a broadcast. */
      archive: Call<{ projectId: string; broadcastId: string; }, {
        /** Null for the rule: a broadcast to the whole topic is shown. */
        in_archive: boolean | null;
        /** True if its topic has an archive. */
        has_archive: boolean;
        /** Its page in the archive; null if the archive lacks it. */
        url: string | null;
      }>;
      /** Cancels a broadcast. */
      cancel: Call<{ projectId: string; broadcastId: string; }, Broadcast>;
      /** Chooses the winner of an A/B test. */
      chooseWinner: Call<{
        projectId: string;
        broadcastId: string;
        body: { variant: "A" | "B" | "C" | "D" | "E"; };
      }, BroadcastDetails>;
      /** Returns the content of a broadcast, as fixed at its start. */
      content: Call<{ projectId: string; broadcastId: string; }, BroadcastContent>;
      /** Counts the recipients of a draft, with other audience fields if any are given. */
      countAudience: Call<{
        projectId: string;
        broadcastId: string;
        body?: {
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
        };
      }, {
        active: number;
        suppressed: number;
        without_consent: number;
        too_soon: number;
        total: number;
      }>;
      /** Saves a broadcast as a draft. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          /** A UUID. "" clears it. */
          template_id?: string;
          /** One line. "" clears it. */
          subject?: string;
          /** One line. "" clears it. */
          preview_text?: string;
          /** One line. "" clears it. */
          from_name?: string;
          /** An email address. "" clears it. */
          reply_to?: string;
          html_body?: string;
          text_body?: string;
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
          variables?: Record<string, unknown>;
          /** An RFC 3339 timestamp. "" clears it. */
          send_at?: string;
          /** A time zone of the IANA database. "" clears it. */
          time_zone?: string;
          max_delay_minutes?: number;
          per_hour?: number;
          warm_up?: { first_day: number; };
          ab?: {
            variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>;
            share?: number;
            wait_hours?: number;
            by?: "opens" | "clicks" | "manual";
          };
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          /** What replaces the campaign parameters of the project; `off` for none on any link. */
          utm?: "off" | { source?: string; medium?: string; campaign?: string; };
        };
      }, BroadcastDetails>;
      /** Deletes a draft. */
      delete: Call<{ projectId: string; broadcastId: string; }, undefined>;
      /** Copies a broadcast as a draft. */
      duplicate: Call<{ projectId: string; broadcastId: string; body?: { name?: string; }; }, BroadcastDetails>;
      /** Returns a broadcast. */
      get: Call<{ projectId: string; broadcastId: string; }, BroadcastDetails>;
      /** Counts the recipients of a broadcast by outcome and visit. */
      ledger: Call<{ projectId: string; broadcastId: string; }, DeliveryReport>;
      /** Lists the broadcasts of a project. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        state?: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled" | "all";
        include?: "opens_by_hour";
      }, { broadcasts: Array<ListedBroadcast>; total?: number; next?: string | null; }, ListedBroadcast>;
      /** Pauses a broadcast. */
      pause: Call<{ projectId: string; broadcastId: string; }, Broadcast>;
      /** Counts the recipients of a draft and lists its problems. */
      preflight: Call<{ projectId: string; broadcastId: string; }, Preflight>;
      /** Lists the recipients of a broadcast with their outcomes. */
      recipients: PagedCall<{
        projectId: string;
        broadcastId: string;
        limit?: number;
        offset?: number;
        after?: string;
        outcome?: "sent" | "failed" | "bounced" | "suppressed" | "unknown" | "waiting" | "skipped";
        search?: string;
        visit?: "opened" | "opened_human" | "clicked" | "clicked_human";
        link?: string;
        reaction?: "unsubscribed" | "complained";
      }, { recipients: Array<BroadcastRecipient>; next: string | null; }, BroadcastRecipient>;
      /** Counts the recipients of a broadcast by outcome and visit. */
      report: Call<{ projectId: string; broadcastId: string; }, DeliveryReport>;
      /** Copies a broadcast as a draft to the people that it did not reach. */
      resend: Call<{
        projectId: string;
        broadcastId: string;
        body: {
          to: "failed" | "failed_or_unknown" | "joined" | "not_opened";
          subject?: string;
          name?: string;
        };
      }, BroadcastDetails>;
      /** Resumes a paused broadcast. */
      resume: Call<{ projectId: string; broadcastId: string; }, Broadcast>;
      /** Shows a broadcast in the archive of its topic, or takes it out. */
      setInArchive: Call<{ projectId: string; broadcastId: string; body?: { in_archive?: boolean; }; }, {
        /** Null for the rule: a broadcast to the whole topic is shown. */
        in_archive: boolean | null;
        /** True if its topic has an archive. */
        has_archive: boolean;
        /** Its page in the archive; null if the archive lacks it. */
        url: string | null;
      }>;
      /** Starts a broadcast to the active subscribers, and waits until all have been tried. */
      start: Call<{
        projectId: string;
        body: {
          template_id: string;
          subject?: string;
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
        };
      }, {
        broadcast_id: string;
        sent: number;
        failed: number;
        bounced: number;
        suppressed: number;
        waiting: number;
        state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
        error?: string | null;
      } | {
        error: string;
        code: RefusalCode;
        params?: Record<string, unknown>;
        details?: Array<{ code: string; params?: Record<string, unknown>; message: string; path: string; }>;
        id?: string;
        broadcast_id?: string;
        steps?: Array<{
          step: 
            | "dns"
            | "address"
            | "connect"
            | "tls"
            | "greeting"
            | "ehlo"
            | "auth"
            | "mail"
            | "capability"
            | "login"
            | "folder"
            | "unread";
          ok: boolean;
          /** The duration of the step in milliseconds. */
          ms: number;
          /** The result of the step, including the server's reply. */
          detail?: string;
          code?: ConnectionCode;
          params?: Record<string, unknown>;
          /** What to change; only on a failed step. */
          remedy?: string;
          remedy_code?: RemedyCode;
          remedy_params?: Record<string, unknown>;
        }>;
        alternative?: {
          port: number;
          ok: boolean;
          steps: Array<{
            step: 
              | "dns"
              | "address"
              | "connect"
              | "tls"
              | "greeting"
              | "ehlo"
              | "auth"
              | "mail"
              | "capability"
              | "login"
              | "folder"
              | "unread";
            ok: boolean;
            /** The duration of the step in milliseconds. */
            ms: number;
            /** The result of the step, including the server's reply. */
            detail?: string;
            code?: ConnectionCode;
            params?: Record<string, unknown>;
            /** What to change; only on a failed step. */
            remedy?: string;
            remedy_code?: RemedyCode;
            remedy_params?: Record<string, unknown>;
          }>;
          /** What to change; only on a failed step. */
          remedy?: string;
          remedy_code?: RemedyCode;
          remedy_params?: Record<string, unknown>;
        };
        problems?: Array<BroadcastProblem>;
      } | { broadcast_id: string; }>;
      /** Schedules a draft. */
      startDraft: Call<{
        projectId: string;
        broadcastId: string;
        body?: {
          accept?: Array<
            | "broken_audience"
            | "empty_audience"
            | "unknown_topic"
            | "similar_broadcast"
            | "wrong_start_time"
            | "no_content"
            | "broken_content"
            | "too_large"
            | "invalid_link"
            | "no_sender"
            | "storage_full"
            | "missing_variable"
            | "no_unsubscribe_link"
            | "broken_link"
            | "clipped"
            | "placeholder"
            | "sender_problem"
            | "daily_limit"
            | "storage_short"
            | "paused_broadcast"
            | "identical_variants"
            | "link_not_https"
            | "link_unclear"
            | "no_text_part"
            | "image_without_alt"
            | "sender_warning">;
        };
      }, { broadcast_id: string; starts_at: string; }>;
      /** Sends the email of a draft to up to five addresses. */
      test: Call<{
        projectId: string;
        broadcastId: string;
        body: { to: Array<string>; subscriber_id?: string; variant?: string; };
      }, {
        results: Array<{
          to: string;
          status: "sent" | "failed" | "suppressed";
          error: string | null;
          id: string | null;
        }>;
      }>;
      /** Returns the result of an A/B test. */
      trial: Call<{ projectId: string; broadcastId: string; }, AbTest>;
      /** Turns a scheduled broadcast back into a draft. */
      undoStart: Call<{ projectId: string; broadcastId: string; }, BroadcastDetails>;
      /** Changes fields of a draft. */
      update: Call<{
        projectId: string;
        broadcastId: string;
        body?: {
          name?: string;
          /** A UUID. "" clears it. */
          template_id?: string;
          /** One line. "" clears it. */
          subject?: string;
          /** One line. "" clears it. */
          preview_text?: string;
          /** One line. "" clears it. */
          from_name?: string;
          /** An email address. "" clears it. */
          reply_to?: string;
          html_body?: string;
          text_body?: string;
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
          variables?: Record<string, unknown>;
          /** An RFC 3339 timestamp. "" clears it. */
          send_at?: string;
          /** A time zone of the IANA database. "" clears it. */
          time_zone?: string;
          max_delay_minutes?: number;
          per_hour?: number;
          warm_up?: { first_day: number; };
          ab?: {
            variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>;
            share?: number;
            wait_hours?: number;
            by?: "opens" | "clicks" | "manual";
          };
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          /** What replaces the campaign parameters of the project; `off` for none on any link. */
          utm?: "off" | { source?: string; medium?: string; campaign?: string; };
          accept?: Array<
            | "broken_audience"
            | "empty_audience"
            | "unknown_topic"
            | "similar_broadcast"
            | "wrong_start_time"
            | "no_content"
            | "broken_content"
            | "too_large"
            | "invalid_link"
            | "no_sender"
            | "storage_full"
            | "missing_variable"
            | "no_unsubscribe_link"
            | "broken_link"
            | "clipped"
            | "placeholder"
            | "sender_problem"
            | "daily_limit"
            | "storage_short"
            | "paused_broadcast"
            | "identical_variants"
            | "link_not_https"
            | "link_unclear"
            | "no_text_part"
            | "image_without_alt"
            | "sender_warning">;
        };
      }, BroadcastDetails>;
    };
    events: {
      /** Records events of people, one or up to 1,000. */
      record: Call<{
        projectId: string;
        body: {
          name: string;
          /** An email address. */
          email?: string;
          subscriber_id?: string;
          data?: Record<string, unknown>;
          /** Now by default; at most 90 days ago. */
          occurred_at?: string;
          /** Whether an unknown address joins as a subscriber. */
          create?: "active" | "pending" | "none";
        } | {
          events: Array<{
            name: string;
            /** An email address. */
            email?: string;
            subscriber_id?: string;
            data?: Record<string, unknown>;
            /** Now by default; at most 90 days ago. */
            occurred_at?: string;
            /** Whether an unknown address joins as a subscriber. */
            create?: "active" | "pending" | "none";
          }>;
        } | Array<{
          name: string;
          /** An email address. */
          email?: string;
          subscriber_id?: string;
          data?: Record<string, unknown>;
          /** Now by default; at most 90 days ago. */
          occurred_at?: string;
          /** Whether an unknown address joins as a subscriber. */
          create?: "active" | "pending" | "none";
        }>;
      }, {
        /** The events stored. */
        accepted: number;
        /** The events that name nobody in the project. */
        unknown: number;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
    };
    fields: {
      /** Describes a key of the subscribers' metadata as a field. */
      create: Call<{
        projectId: string;
        body: {
          label?: string;
          type?: "text" | "number" | "date" | "boolean" | "choice" | "list" | "url";
          choices?: Array<string>;
          key: string;
        };
      }, Field>;
      /** Deletes a field; the subscribers keep their data. */
      delete: Call<{ projectId: string; fieldId: string; }, undefined>;
      /** Returns a field, and the segments, templates and drafts that name it. */
      get: Call<{ projectId: string; fieldId: string; }, UsedField>;
      /** Lists the fields of a project. */
      list: Call<{ projectId: string; }, { fields: Array<Field>; }>;
      /** Changes the label, the type or the choices of a field. */
      update: Call<{
        projectId: string;
        fieldId: string;
        body?: {
          label?: string;
          type?: "text" | "number" | "date" | "boolean" | "choice" | "list" | "url";
          choices?: Array<string>;
        };
      }, Field>;
    };
    forms: {
      /** Adds a sign-up form with a public page. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          /** False ends the page of the form. */
          is_open?: boolean;
          title: string;
          text?: string;
          /** The text of the button; `""` for the one of the language. */
          button?: string;
          /** Stored in the consent history; `""` for the `form_text` of the project. */
          consent_text?: string;
          name_field?: "none" | "optional" | "required";
          fields?: Array<{ key: string; required?: boolean; }>;
          topics?: Array<string>;
          /** Whether people choose among the topics, or get them all. */
          choose_topics?: boolean;
          /** True to ask for a confirmation always; false follows the project's setting. */
          double_opt_in?: boolean;
          /** An https page to show after a sign-up. */
          redirect_url?: string | null;
          /** null for the language of the project. */
          language?: "en" | "de" | "fr" | "es" | "pt" | null;
          /** The side of heading, texts and button. */
          align?: "left" | "center";
          /** The color of the button, such as `#1d4ed8`; null for the accent of the brand. */
          accent?: string | null;
          /** Whether the form shows the logo of the brand. */
          show_logo?: boolean;
          /** Whether embedded forms show logo, title and text, too. */
          embed_heading?: boolean;
        };
      }, Form>;
      /** Deletes a sign-up form and its page; its subscribers stay. */
      delete: Call<{ projectId: string; formId: string; }, undefined>;
      /** Returns a sign-up form. */
      get: Call<{ projectId: string; formId: string; }, Form>;
      /** Lists the sign-up forms of a project with their sign-ups. */
      list: Call<{ projectId: string; }, { forms: Array<ListedForm>; }>;
      /** Changes a sign-up form. */
      update: Call<{
        projectId: string;
        formId: string;
        body?: {
          name?: string;
          /** False ends the page of the form. */
          is_open?: boolean;
          title?: string;
          text?: string;
          /** The text of the button; `""` for the one of the language. */
          button?: string;
          /** Stored in the consent history; `""` for the `form_text` of the project. */
          consent_text?: string;
          name_field?: "none" | "optional" | "required";
          fields?: Array<{ key: string; required?: boolean; }>;
          topics?: Array<string>;
          /** Whether people choose among the topics, or get them all. */
          choose_topics?: boolean;
          /** True to ask for a confirmation always; false follows the project's setting. */
          double_opt_in?: boolean;
          /** An https page to show after a sign-up. */
          redirect_url?: string | null;
          /** null for the language of the project. */
          language?: "en" | "de" | "fr" | "es" | "pt" | null;
          /** The side of heading, texts and button. */
          align?: "left" | "center";
          /** The color of the button, such as `#1d4ed8`; null for the accent of the brand. */
          accent?: string | null;
          /** Whether the form shows the logo of the brand. */
          show_logo?: boolean;
          /** Whether embedded forms show logo, title and text, too. */
          embed_heading?: boolean;
        };
      }, Form>;
    };
    imports: {
      /** Creates an import, to which imports of lists add their people by its id. */
      create: Call<{ projectId: string; body: { name: string; }; }, Import>;
      /** Lists the newest imports of a project. */
      list: Call<{ projectId: string; }, { imports: Array<Import>; }>;
    };
    logs: {
      /** Cancels a scheduled email. */
      cancel: Call<{ projectId: string; logId: string; }, undefined>;
      /** Returns the timeline of an email. */
      get: Call<{ projectId: string; logId: string; }, MailTimeline>;
      /** Moves a scheduled email to another time. */
      reschedule: Call<{ projectId: string; logId: string; body: { scheduled_at: string; }; }, { id: string; scheduled_at: string; }>;
      /** Resends an email that was not sent. */
      resend: Call<{
        projectId: string;
        logId: string;
        body?: {
          subject?: string;
          data?: Record<string, unknown>;
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          may_arrive_twice?: boolean;
        };
      }, { message: "sent"; id: string; }>;
    };
    mailSettings: {
      /** Returns the mail settings of a project. */
      get: Call<{ projectId: string; }, MailSettings>;
      /** Changes the mail settings of a project. */
      save: Call<{
        projectId: string;
        body?: {
          senders?: Array<string>;
          /** Headers of every single email and email of a batch, unless it sets them itself. */
          send_headers?: Record<string, string>;
          /** Headers of every email of a broadcast, unless it sets them itself. */
          broadcast_headers?: Record<string, string>;
          /** Whether emails track opens and clicks, unless a template, broadcast or email sets it. */
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          /** The parameters `utm_source`, `utm_medium` and `utm_campaign` that links get; `{}` for none. */
          utm?: { source?: string; medium?: string; campaign?: string; };
        };
      }, MailSettings>;
    };
    scheduled: {
      /** Lists the emails and batches that wait for their time, the next one first. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        from?: string;
        to?: string;
      }, { scheduled: Array<Scheduled>; total?: number; next?: string | null; }, Scheduled>;
    };
    segments: {
      /** Counts the subscribers of up to 20 segments, checking 6,000 for each. */
      count: Call<{ projectId: string; body: { segment_ids: Array<string>; }; }, {
        counts: Array<{
          segment_id: string;
          count: number;
          /** True if subscribers who were not checked may match. */
          more: boolean;
        }>;
      }>;
      /** Creates a segment: a named condition on subscribers. */
      create: Call<{ projectId: string; body: { name: string; where: string | Record<string, unknown>; }; }, Segment>;
      /** Deletes a segment; its subscribers are kept. */
      delete: Call<{ projectId: string; segmentId: string; }, undefined>;
      /** Returns a segment. */
      get: Call<{ projectId: string; segmentId: string; }, Segment>;
      /** Lists the segments of a project. */
      list: Call<{ projectId: string; }, { segments: Array<Segment>; }>;
      /** Counts the subscribers that match a condition, up to 10,000, and shows ten of them. */
      preview: Call<{
        projectId: string;
        body: {
          where: string | Record<string, unknown>;
          status?: "active" | "pending" | "unsubscribed";
          topic_id?: string;
        };
      }, {
        count: number;
        more: boolean;
        sample: Array<Subscriber>;
        /** Keys of the metadata that none of the newest subscribers has. */
        warnings: Array<{ code: string; params?: Record<string, unknown>; message: string; }>;
      }>;
      /** Changes the name or the condition of a segment. */
      update: Call<{
        projectId: string;
        segmentId: string;
        body?: { name?: string; where?: string | Record<string, unknown>; };
      }, Segment>;
    };
    /** Sends one email. */
    send: Call<{
      projectId: string;
      body: {
        to: string | Array<string>;
        template_id: string;
        subject?: string;
        data?: Record<string, unknown>;
        tracking?: {
          /** Whether the HTML has an open pixel. */
          opens?: boolean;
          /** Whether links lead through this service. */
          clicks?: boolean;
        };
        /** Text that email clients show next to the subject. */
        preheader?: string;
        /** An email address, with or without a name. */
        from?: string;
        cc?: string | Array<string>;
        bcc?: string | Array<string>;
        reply_to?: string | Array<string>;
        headers?: Record<string, string>;
        attachments?: Array<{
          filename?: string;
          /** The content in base64. */
          content?: string;
          /** The URL to fetch the content from, instead of `content`. */
          path?: string;
          content_type?: string;
          content_id?: string;
        }>;
        tags?: Record<string, string>;
        /** The topic of the email. Who has not consented to it gets no email. */
        topic_id?: string;
        /** When to send, at most 30 days ahead; now if left out. */
        scheduled_at?: string;
      } | {
        subscriber_id: string;
        template_id: string;
        subject?: string;
        data?: Record<string, unknown>;
        /** When to send, at most 30 days ahead; now if left out. */
        scheduled_at?: string;
        /** The topic of the email. Who has not consented to it gets no email. */
        topic_id?: string;
        tracking?: {
          /** Whether the HTML has an open pixel. */
          opens?: boolean;
          /** Whether links lead through this service. */
          clicks?: boolean;
        };
        /** Text that email clients show next to the subject. */
        preheader?: string;
      } | {
        to: string | Array<string>;
        subject: string;
        html_body?: string;
        text_body?: string;
        tracking?: {
          /** Whether the HTML has an open pixel. */
          opens?: boolean;
          /** Whether links lead through this service. */
          clicks?: boolean;
        };
        /** Text that email clients show next to the subject. */
        preheader?: string;
        /** An email address, with or without a name. */
        from?: string;
        cc?: string | Array<string>;
        bcc?: string | Array<string>;
        reply_to?: string | Array<string>;
        headers?: Record<string, string>;
        attachments?: Array<{
          filename?: string;
          /** The content in base64. */
          content?: string;
          /** The URL to fetch the content from, instead of `content`. */
          path?: string;
          content_type?: string;
          content_id?: string;
        }>;
        tags?: Record<string, string>;
        /** The topic of the email. Who has not consented to it gets no email. */
        topic_id?: string;
        /** When to send, at most 30 days ahead; now if left out. */
        scheduled_at?: string;
      };
    }, {
      message: "sent";
      id: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    } | {
      sent: number;
      failed: number;
      error?: string;
      id: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    } | {
      message: "scheduled";
      id: string;
      scheduled_at: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    }>;
    /** Sends a template to many recipients, and waits until it is done. */
    sendBatch: Call<{
      projectId: string;
      body: {
        template_id: string;
        subject?: string;
        tracking?: {
          /** Whether the HTML has an open pixel. */
          opens?: boolean;
          /** Whether links lead through this service. */
          clicks?: boolean;
        };
        /** Text that email clients show next to the subject. */
        preheader?: string;
        /** An email address, with or without a name. */
        from?: string;
        recipients: Array<{
          /** An email address, with or without a name. */
          to: string;
          data?: Record<string, unknown>;
        }>;
        /** Whether an invalid recipient fails alone, or is a 400 for the whole batch. */
        on_error?: "skip" | "refuse";
        /** When to send, at most 30 days ahead; now if left out. */
        scheduled_at?: string;
      };
    }, {
      sent: number;
      failed: number;
      bounced: number;
      suppressed: number;
      failures: Array<{
        index: number;
        to: string;
        status: "failed" | "bounced" | "suppressed";
        error: string;
        /** The code of a fault of the recipient, or the reason of a rejection (§11.7). */
        code?: string;
      }>;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    } | {
      error: string;
      code: RefusalCode;
      params?: Record<string, unknown>;
      details?: Array<{ code: string; params?: Record<string, unknown>; message: string; path: string; }>;
      id?: string;
      broadcast_id?: string;
      steps?: Array<{
        step: 
          | "dns"
          | "address"
          | "connect"
          | "tls"
          | "greeting"
          | "ehlo"
          | "auth"
          | "mail"
          | "capability"
          | "login"
          | "folder"
          | "unread";
        ok: boolean;
        /** The duration of the step in milliseconds. */
        ms: number;
        /** The result of the step, including the server's reply. */
        detail?: string;
        code?: ConnectionCode;
        params?: Record<string, unknown>;
        /** What to change; only on a failed step. */
        remedy?: string;
        remedy_code?: RemedyCode;
        remedy_params?: Record<string, unknown>;
      }>;
      alternative?: {
        port: number;
        ok: boolean;
        steps: Array<{
          step: 
            | "dns"
            | "address"
            | "connect"
            | "tls"
            | "greeting"
            | "ehlo"
            | "auth"
            | "mail"
            | "capability"
            | "login"
            | "folder"
            | "unread";
          ok: boolean;
          /** The duration of the step in milliseconds. */
          ms: number;
          /** The result of the step, including the server's reply. */
          detail?: string;
          code?: ConnectionCode;
          params?: Record<string, unknown>;
          /** What to change; only on a failed step. */
          remedy?: string;
          remedy_code?: RemedyCode;
          remedy_params?: Record<string, unknown>;
        }>;
        /** What to change; only on a failed step. */
        remedy?: string;
        remedy_code?: RemedyCode;
        remedy_params?: Record<string, unknown>;
      };
      problems?: Array<BroadcastProblem>;
    } | {
      batch_id: string;
      /** When it is due, if the request gave a time. */
      scheduled_at?: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    }>;
    subscribers: {
      /** Sets the status, the tags or the topics of many subscribers, or deletes them. */
      changeMany: Call<{
        projectId: string;
        body: {
          action: "set_status" | "delete" | "add_tags" | "remove_tags" | "set_topics";
          status?: "active" | "pending" | "unsubscribed";
          tags?: Array<string>;
          topics?: Record<string, "subscribed" | "unsubscribed">;
          ids?: Array<string>;
          filter?: {
            status?: "active" | "pending" | "unsubscribed";
            search?: string;
            tag?: string;
            import?: string;
            where?: string | Record<string, unknown>;
            all?: true;
          };
        };
      }, { changed: number; more: boolean; }>;
      /** Adds a subscriber. */
      create: Call<{
        projectId: string;
        body: {
          /** An email address. */
          email: string;
          name?: string;
          status?: "active" | "pending" | "unsubscribed";
          metadata?: Record<string, unknown>;
          tags?: Array<string>;
          topics?: Array<string>;
        };
      }, {
        id: string;
        project_id: string;
        /** Unique within the project. */
        email: string;
        name: string;
        status: "active" | "pending" | "unsubscribed";
        metadata: Record<string, unknown>;
        tags: Array<string>;
        subscribed_at: string;
        /** When the status last became `unsubscribed`; stays after a reactivation. */
        unsubscribed_at: string | null;
        created_at: string;
        updated_at: string;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
      events: {
        /** Lists the events of a subscriber, the latest first. */
        list: PagedCall<{
          projectId: string;
          subscriberId: string;
          limit?: number;
          offset?: number;
          after?: string;
          name?: string;
        }, { events: Array<Event>; total?: number; next?: string | null; }, Event>;
      };
      /** Returns a subscriber with the latest emails to it. */
      get: Call<{ projectId: string; subscriberId: string; }, {
        id: string;
        project_id: string;
        /** Unique within the project. */
        email: string;
        name: string;
        status: "active" | "pending" | "unsubscribed";
        metadata: Record<string, unknown>;
        tags: Array<string>;
        subscribed_at: string;
        /** When the status last became `unsubscribed`; stays after a reactivation. */
        unsubscribed_at: string | null;
        created_at: string;
        updated_at: string;
        /** Why the address gets no mail, whatever the status. */
        suppressed: "hard_bounce" | "unsubscribed" | "manual" | null;
        last_opened_at: string | null;
        last_clicked_at: string | null;
        recent_mails: Array<RecentMail>;
      }>;
      /** Imports subscribers and checks their addresses. */
      import: Call<{
        projectId: string;
        import_id?: string;
        body: Array<{
          email: string;
          name?: string | null;
          status?: string | null;
          metadata?: Record<string, unknown> | null;
          tags?: Array<string> | null;
          topics?: Array<string> | null;
        }>;
      }, {
        imported: number;
        skipped: number;
        rejected: Array<{
          row: number;
          line?: number;
          email: string;
          reason: "invalid_row" | "invalid_syntax" | "invalid_status" | "no_mx" | "disposable";
          detail?: string;
        }>;
        /** The metadata keys of the other columns of a CSV file. */
        metadata_columns?: Record<string, string>;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
      /** Lists the subscribers of a project. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        status?: "active" | "pending" | "unsubscribed";
        search?: string;
        tag?: string;
        import?: string;
        sort?: "-created_at" | "created_at" | "email" | "-email";
      }, {
        subscribers: Array<{
          id: string;
          project_id: string;
          /** Unique within the project. */
          email: string;
          name: string;
          status: "active" | "pending" | "unsubscribed";
          metadata: Record<string, unknown>;
          tags: Array<string>;
          subscribed_at: string;
          /** When the status last became `unsubscribed`; stays after a reactivation. */
          unsubscribed_at: string | null;
          created_at: string;
          updated_at: string;
          /** Why the address gets no mail, whatever the status. */
          suppressed: "hard_bounce" | "unsubscribed" | "manual" | null;
        }>;
        total?: number;
        next?: string | null;
      }, {
        id: string;
        project_id: string;
        /** Unique within the project. */
        email: string;
        name: string;
        status: "active" | "pending" | "unsubscribed";
        metadata: Record<string, unknown>;
        tags: Array<string>;
        subscribed_at: string;
        /** When the status last became `unsubscribed`; stays after a reactivation. */
        unsubscribed_at: string | null;
        created_at: string;
        updated_at: string;
        /** Why the address gets no mail, whatever the status. */
        suppressed: "hard_bounce" | "unsubscribed" | "manual" | null;
      }>;
      /** Lists the runs of a subscriber in automations, newest first. */
      runs: PagedCall<{
        projectId: string;
        subscriberId: string;
        limit?: number;
        offset?: number;
        after?: string;
      }, { runs: Array<AutomationRun>; next: string | null; }, AutomationRun>;
      topics: {
        /** Returns the consents of a subscriber with their history. */
        get: Call<{ projectId: string; subscriberId: string; }, Consents>;
        /** Sets the consent of a subscriber to some topics. */
        save: Call<{
          projectId: string;
          subscriberId: string;
          body?: Record<string, "subscribed" | "unsubscribed">;
        }, Consents>;
      };
    };
    tags: {
      /** Lists the tags of a project with their subscriber counts. */
      list: Call<{ projectId: string; }, { tags: Array<{ name: string; count: number; }>; }>;
    };
    templates: {
      /** Renders a template and lists its problems. */
      preview: Call<{
        projectId: string;
        body?: {
          subject?: string;
          preheader?: string;
          html_body?: string;
          text_body?: string;
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          data?: Record<string, unknown>;
          subscriber_id?: string;
        };
      }, TemplatePreview>;
      /** Sends a template to up to five addresses. */
      test: Call<{
        projectId: string;
        templateId: string;
        body: {
          to: Array<string>;
          subscriber_id?: string;
          subject?: string;
          data?: Record<string, unknown>;
        };
      }, {
        results: Array<{
          to: string;
          status: "sent" | "failed" | "suppressed";
          error: string | null;
          id: string | null;
        }>;
      }>;
    };
    topics: {
      /** Adds a topic to which subscribers can consent. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          description?: string;
          is_default?: boolean;
          public_archive?: boolean;
          visibility?: "public" | "private";
        };
      }, Topic>;
      /** Deletes a topic and the consents to it. */
      delete: Call<{ projectId: string; topicId: string; }, undefined>;
      /** Returns a topic. */
      get: Call<{ projectId: string; topicId: string; }, Topic>;
      /** Lists the topics of a project with the numbers of their subscribers. */
      list: Call<{ projectId: string; }, { topics: Array<ListedTopic>; }>;
      /** Changes a topic. */
      update: Call<{
        projectId: string;
        topicId: string;
        body?: {
          name?: string;
          description?: string;
          is_default?: boolean;
          public_archive?: boolean;
          visibility?: "public" | "private";
        };
      }, Topic>;
    };
  };
}

/** Calls with an access token (`pat_`) or a session. */
export interface PersonCalls {
  auth: {
    auditLog: {
      /** Lists the audit entries of the account. */
      list: PagedCall<{
        limit?: number;
        offset?: number;
        after?: string;
        action?: string;
        from?: string;
        to?: string;
      }, { entries: Array<AuditEntry>; total?: number; next?: string | null; }, AuditEntry>;
    };
    /** Ends the session or access token of the request. */
    logout: Call<{}, undefined>;
    /** Returns the person of the session and their workspaces. */
    me: Call<{}, Me>;
  };
  projects: {
    analytics: {
      /** Summarizes the emails, opens and clicks of a period. */
      overview: Call<{ projectId: string; from: string; to: string; }, AnalyticsOverview>;
      /** Counts the rejected emails of a period by reason. */
      refusals: Call<{ projectId: string; from: string; to: string; }, {
        from: string;
        to: string;
        refusals: Array<{ reason: string | null; failed: number; bounced: number; }>;
        is_complete: boolean;
      }>;
    };
    apiKeys: {
      /** Creates an API key; only this response shows it. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          type?: "sk" | "pk" | "sdk";
          rate_limit_per_minute?: number | null;
          capabilities?: Array<
            | "read"
            | "audit:read"
            | "projects:write"
            | "projects:delete"
            | "api_keys:write"
            | "webhooks:write"
            | "templates:write"
            | "subscribers:write"
            | "events:write"
            | "send:transactional"
            | "send:broadcast"
            | "automations:write"
            | "suppressions:write"
            | "workspace:write"
            | "members:write">;
          /** True for a test key (`sk_test_…`), whose emails reach no server. */
          test?: boolean;
          /** True for a key that begins with `re_`, for programs that check it. */
          resend?: boolean;
        };
      }, {
        id: string;
        name: string;
        type: "sk" | "pk" | "sdk";
        /** The type and the first 6 characters of the secret. */
        prefix: string;
        /** Whether it is a test key, whose emails reach no server. */
        test: boolean;
        capabilities: Array<
          | "read"
          | "audit:read"
          | "projects:write"
          | "projects:delete"
          | "api_keys:write"
          | "webhooks:write"
          | "templates:write"
          | "subscribers:write"
          | "events:write"
          | "send:transactional"
          | "send:broadcast"
          | "automations:write"
          | "suppressions:write"
          | "workspace:write"
          | "members:write">;
        /** The person who created the key. */
        created_by: string;
        created_by_name: string | null;
        created_by_email: string | null;
        /** Whether that person is still a member of the workspace. */
        created_by_member: boolean;
        /** Null: the limits of the project. */
        rate_limit_per_minute: number | null;
        created_at: string;
        /** Written at most once a minute. */
        last_used_at: string | null;
        key: string;
      }>;
      /** Lists the API keys of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; }, { api_keys: Array<ApiKey>; }>;
      /** Revokes an API key. */
      revoke: Call<{ projectId: string; keyId: string; }, undefined>;
    };
    auditLog: {
      /** Lists the audit entries of a project. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        action?: string;
        from?: string;
        to?: string;
      }, { entries: Array<AuditEntry>; total?: number; next?: string | null; }, AuditEntry>;
    };
    bounceMailbox: {
      /** Logs in to the bounce mailbox and counts its unread messages. */
      test: Call<{ projectId: string; }, {
        message: "connected";
        unseen: number;
        steps: Array<{
          step: 
            | "dns"
            | "address"
            | "connect"
            | "tls"
            | "greeting"
            | "ehlo"
            | "auth"
            | "mail"
            | "capability"
            | "login"
            | "folder"
            | "unread";
          ok: boolean;
          /** The duration of the step in milliseconds. */
          ms: number;
          /** The result of the step, including the server's reply. */
          detail?: string;
          code?: ConnectionCode;
          params?: Record<string, unknown>;
          /** What to change; only on a failed step. */
          remedy?: string;
          remedy_code?: RemedyCode;
          remedy_params?: Record<string, unknown>;
        }>;
      }>;
    };
    bounces: {
      unverified: {
        /** Lists the bounce reports without proof. */
        list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; }, {
          reports: Array<{
            email: string;
            kind: "bounce" | "complaint";
            reason: string;
            diagnostic: string;
            /** The latest accepted email to the address, or the latest. */
            log_id: string | null;
            /** The number of reports. */
            reports: number;
            first_seen_at: string;
            last_seen_at: string;
          }>;
          total?: number;
          next?: string | null;
        }, {
          email: string;
          kind: "bounce" | "complaint";
          reason: string;
          diagnostic: string;
          /** The latest accepted email to the address, or the latest. */
          log_id: string | null;
          /** The number of reports. */
          reports: number;
          first_seen_at: string;
          last_seen_at: string;
        }>;
        /** Suppresses the addresses of reports without proof. */
        suppress: Call<{ projectId: string; body: { emails: Array<string>; }; }, { suppressed: number; }>;
      };
    };
    /** Creates a project. */
    create: Call<{ body: { name: string; description?: string; workspace_id?: string; }; }, Project>;
    /** Deletes a project and everything in it. */
    delete: Call<{ projectId: string; }, undefined>;
    erasures: {
      /** Counts the erased addresses of a project and the running erasures. */
      count: Call<{ projectId: string; }, { total: number; running: number; }>;
      /** Erases an address, whether it is a subscriber or not. */
      create: Call<{
        projectId: string;
        body: {
          /** An email address. */
          email: string;
        };
      }, undefined>;
      /** Lifts the erasure of an address after a new consent of its owner. */
      lift: Call<{
        projectId: string;
        body: {
          /** An email address. */
          email: string;
          consent: string;
        };
      }, undefined>;
    };
    /** Returns everything that a project stores about an address, in pages. */
    exportAddress: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; email: string; }, AddressExport, {
      /** Also the local part of the Message-ID. */
      id: string;
      project_id: string;
      /** Null if the address belongs to no subscriber. */
      subscriber_id: string | null;
      /** Null for HTML in the request and for built-in templates. */
      template_id: string | null;
      /** Null outside broadcasts. */
      broadcast_id: string | null;
      /** Null outside automations. */
      automation_id: string | null;
      /** The step of the automation that sent it. */
      step_id: string | null;
      /** Empty after an erasure, as is the subject. */
      to_email: string;
      /** The first 998 characters, rendered. */
      subject: string;
      status: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
      /** Why the email was not accepted. */
      error: string | null;
      /** The reason of a rejection or bounce (API reference §11.7). */
      reason: string | null;
      /** Whether the outcome is that of the fallback server. */
      via_fallback: boolean;
      tags: Record<string, string>;
      copies: Array<{ email: string; status: string; error: string; reason?: string; }>;
      /** When the outcome was recorded; for a scheduled email, when it is due. */
      sent_at: string;
      /** When a scheduled email is due, while it waits. */
      scheduled_at?: string;
      /** The first open; later ones do not change it. */
      opened_at: string | null;
      /** The first click; later ones do not change it. */
      clicked_at: string | null;
      /** True for an email that no server got: of a test key, or to the simulator. */
      test?: boolean;
      opens: Array<{
        at: string;
        class: string | null;
        user_agent: string | null;
        ip_address: string | null;
      }>;
      clicks: Array<{
        url: string;
        at: string;
        class: string | null;
        user_agent: string | null;
        ip_address: string | null;
      }>;
    }>;
    /** Returns a project. */
    get: Call<{ projectId: string; }, Project>;
    /** Returns who joined and left the audience in a period, bucket by bucket. */
    growth: Call<{ projectId: string; from: string; to: string; }, AudienceGrowth>;
    images: {
      /** Removes an image from the library; emails show it until its bytes are removed. */
      delete: Call<{ projectId: string; imageId: string; }, undefined>;
      /** Returns an image, and the emails that show it. */
      get: Call<{ projectId: string; imageId: string; }, {
        id: string;
        project_id: string;
        /** The address of the bytes, for the HTML of emails. */
        url: string;
        name: string;
        /** Text for readers who do not see the image. */
        alt: string;
        /** The format of the bytes. */
        type: "png" | "jpeg" | "gif" | "webp";
        /** In pixels. */
        width: number;
        /** In pixels. */
        height: number;
        bytes: number;
        created_at: string;
        /** The newest 100 templates, drafts and broadcasts whose HTML holds the address. */
        used_in: Array<{ kind: "template" | "draft" | "broadcast"; id: string; name: string; }>;
      }>;
      /** Lists the images of the library, newest first. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; search?: string; }, { images: Array<Image>; total?: number; next?: string | null; }, Image>;
      /** Changes the name or the alternative text of an image; its address stays. */
      update: Call<{ projectId: string; imageId: string; body?: { name?: string; alt?: string; }; }, Image>;
    };
    /** Lists the projects that the person created, or all projects of their workspaces. */
    list: Call<{ limit?: number; offset?: number; scope?: "own" | "all"; }, Array<Project>>;
    logs: {
      /** Lists the emails of a project, newest first. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        status?: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
        from?: string;
        to?: string;
        to_email?: string;
        subscriber_id?: string;
        template_id?: string;
        broadcast_id?: string;
        automation_id?: string;
        step_id?: string;
        batch_id?: string;
        tag?: string;
        tag_value?: string;
      }, { logs: Array<LogEntry>; total?: number; next?: string | null; }, LogEntry>;
    };
    /** Returns when people opened broadcasts in a period, hour by hour. */
    openTimes: Call<{ projectId: string; from: string; to: string; }, OpenTimes>;
    savedBlocks: {
      /** Saves a block of an email under a name. */
      create: Call<{ projectId: string; body: { name: string; block: Record<string, unknown>; }; }, SavedBlock>;
      /** Deletes a saved block; emails with a copy of it keep it. */
      delete: Call<{ projectId: string; savedBlockId: string; }, undefined>;
      /** Lists the saved blocks of a project. */
      list: Call<{ projectId: string; }, { saved_blocks: Array<SavedBlock>; }>;
    };
    sending: {
      /** Checks the sender of a project in DNS. */
      check: Call<{ projectId: string; dkim_selector?: string; }, SenderReport>;
      /** Returns the limits of the project's mail server and their use. */
      get: Call<{ projectId: string; }, Sending>;
      /** Replaces the limits of the project's mail server. */
      save: Call<{
        projectId: string;
        body?: {
          max_connections?: number;
          max_per_second?: number;
          max_per_hour?: number;
          max_per_day?: number;
          max_per_domain_per_minute?: number;
        };
      }, Sending>;
    };
    /** Returns the outcomes of the emails of a period, bucket by bucket. */
    series: Call<{ projectId: string; from: string; to: string; }, Series>;
    smtp: {
      /** Saves the SMTP settings and the sender of a project. */
      save: Call<{
        projectId: string;
        body: {
          smtp_host: string;
          smtp_port: number;
          smtp_user: string;
          smtp_password?: string;
          /** A second server. `{"smtp_host": ""}` removes it. */
          fallback?: { smtp_host: string; smtp_port?: number; smtp_user?: string; smtp_password?: string; };
          from_name?: string;
          from_email?: string;
          location_hint?: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me";
        };
      }, Project>;
      /** Sends a test email with the stored SMTP settings, or with those in the body. */
      test: Call<{
        projectId: string;
        server?: "first" | "fallback";
        body?: {
          smtp_host?: string;
          smtp_port?: number;
          smtp_user?: string;
          smtp_password?: string;
          from_name?: string;
          from_email?: string;
        };
      }, {
        message: "sent";
        id: string;
        to: string;
        steps: Array<{
          step: 
            | "dns"
            | "address"
            | "connect"
            | "tls"
            | "greeting"
            | "ehlo"
            | "auth"
            | "mail"
            | "capability"
            | "login"
            | "folder"
            | "unread";
          ok: boolean;
          /** The duration of the step in milliseconds. */
          ms: number;
          /** The result of the step, including the server's reply. */
          detail?: string;
          code?: ConnectionCode;
          params?: Record<string, unknown>;
          /** What to change; only on a failed step. */
          remedy?: string;
          remedy_code?: RemedyCode;
          remedy_params?: Record<string, unknown>;
        }>;
      }>;
    };
    /** Counts the emails of a project by outcome. */
    stats: Call<{ projectId: string; }, {
      total: number;
      sent: number;
      failed: number;
      opened: number;
      clicked: number;
      bounced: number;
      suppressed: number;
    }>;
    subscribers: {
      /** Deletes a subscriber, or erases everything stored about the person. */
      delete: Call<{ projectId: string; subscriberId: string; erase?: "true" | "false"; }, undefined>;
      /** Returns everything that a project stores about a subscriber, in pages. */
      export: PagedCall<{
        projectId: string;
        subscriberId: string;
        limit?: number;
        offset?: number;
        after?: string;
      }, AddressExport, {
        /** Also the local part of the Message-ID. */
        id: string;
        project_id: string;
        /** Null if the address belongs to no subscriber. */
        subscriber_id: string | null;
        /** Null for HTML in the request and for built-in templates. */
        template_id: string | null;
        /** Null outside broadcasts. */
        broadcast_id: string | null;
        /** Null outside automations. */
        automation_id: string | null;
        /** The step of the automation that sent it. */
        step_id: string | null;
        /** Empty after an erasure, as is the subject. */
        to_email: string;
        /** The first 998 characters, rendered. */
        subject: string;
        status: "sent" | "failed" | "bounced" | "suppressed" | "scheduled";
        /** Why the email was not accepted. */
        error: string | null;
        /** The reason of a rejection or bounce (API reference §11.7). */
        reason: string | null;
        /** Whether the outcome is that of the fallback server. */
        via_fallback: boolean;
        tags: Record<string, string>;
        copies: Array<{ email: string; status: string; error: string; reason?: string; }>;
        /** When the outcome was recorded; for a scheduled email, when it is due. */
        sent_at: string;
        /** When a scheduled email is due, while it waits. */
        scheduled_at?: string;
        /** The first open; later ones do not change it. */
        opened_at: string | null;
        /** The first click; later ones do not change it. */
        clicked_at: string | null;
        /** True for an email that no server got: of a test key, or to the simulator. */
        test?: boolean;
        opens: Array<{
          at: string;
          class: string | null;
          user_agent: string | null;
          ip_address: string | null;
        }>;
        clicks: Array<{
          url: string;
          at: string;
          class: string | null;
          user_agent: string | null;
          ip_address: string | null;
        }>;
      }>;
      /** Changes the email, name, status, tags or metadata of a subscriber. */
      update: Call<{
        projectId: string;
        subscriberId: string;
        body?: {
          /** An email address. */
          email?: string;
          name?: string;
          status?: "active" | "pending" | "unsubscribed";
          metadata?: Record<string, unknown>;
          tags?: Array<string>;
        };
      }, {
        id: string;
        project_id: string;
        /** Unique within the project. */
        email: string;
        name: string;
        status: "active" | "pending" | "unsubscribed";
        metadata: Record<string, unknown>;
        tags: Array<string>;
        subscribed_at: string;
        /** When the status last became `unsubscribed`; stays after a reactivation. */
        unsubscribed_at: string | null;
        created_at: string;
        updated_at: string;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
    };
    suppressions: {
      /** Adds addresses to the suppression list. */
      add: Call<{
        projectId: string;
        body: {
          emails: Array<string>;
          reason?: "hard_bounce" | "unsubscribed" | "manual";
          source?: string;
        };
      }, {
        added: number;
        skipped: number;
        rejected: Array<{ row: number; email: string; reason: "invalid_syntax"; }>;
      }>;
      /** Removes an address from the suppression list. */
      delete: Call<{ projectId: string; suppressionId: string; }, undefined>;
      /** Lists the suppressed addresses of a project. */
      list: PagedCall<{
        projectId: string;
        limit?: number;
        offset?: number;
        after?: string;
        reason?: "hard_bounce" | "unsubscribed" | "manual";
        email?: string;
        id?: string;
      }, { suppressions: Array<Suppression>; total?: number; next?: string | null; }, Suppression>;
    };
    templates: {
      /** Lists the built-in templates with their sources. */
      builtIn: Call<{ projectId: string; }, { templates: Array<BuiltInTemplate>; }>;
      /** Creates a template. */
      create: Call<{
        projectId: string;
        body: {
          name: string;
          subject?: string;
          html_body?: string;
          text_body?: string;
          public?: boolean;
          preheader?: string;
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
        };
      }, {
        id: string;
        project_id: string;
        name: string;
        /** May contain variables. */
        subject: string;
        html_body: string;
        /** Empty: generated from the HTML. */
        text_body: string;
        /** Whether a waitlist call may use the template. */
        public: boolean;
        /** Shown next to the subject; may contain variables. */
        preheader: string;
        /** What replaces the tracking of the project. */
        tracking: { opens?: boolean; clicks?: boolean; };
        created_at: string;
        updated_at: string;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
      /** Deletes a template. */
      delete: Call<{ projectId: string; templateId: string; }, undefined>;
      /** Copies a template. */
      duplicate: Call<{ projectId: string; templateId: string; body?: { name?: string; }; }, {
        id: string;
        project_id: string;
        name: string;
        /** May contain variables. */
        subject: string;
        html_body: string;
        /** Empty: generated from the HTML. */
        text_body: string;
        /** Whether a waitlist call may use the template. */
        public: boolean;
        /** Shown next to the subject; may contain variables. */
        preheader: string;
        /** What replaces the tracking of the project. */
        tracking: { opens?: boolean; clicks?: boolean; };
        created_at: string;
        updated_at: string;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
      /** Returns a template. */
      get: Call<{ projectId: string; templateId: string; }, Template>;
      /** Lists the templates of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; fields?: "summary"; }, Array<Template> | Array<TemplateSummary>>;
      /** Changes fields of a template. */
      update: Call<{
        projectId: string;
        templateId: string;
        body?: {
          name?: string;
          subject?: string;
          html_body?: string;
          text_body?: string;
          public?: boolean;
          preheader?: string;
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
        };
      }, {
        id: string;
        project_id: string;
        name: string;
        /** May contain variables. */
        subject: string;
        html_body: string;
        /** Empty: generated from the HTML. */
        text_body: string;
        /** Whether a waitlist call may use the template. */
        public: boolean;
        /** Shown next to the subject; may contain variables. */
        preheader: string;
        /** What replaces the tracking of the project. */
        tracking: { opens?: boolean; clicks?: boolean; };
        created_at: string;
        updated_at: string;
        /** The fields of the body that the call does not know; absent if there are none. */
        warnings?: Array<Warning>;
      }>;
      versions: {
        /** Returns an earlier version of a template. */
        get: Call<{ projectId: string; templateId: string; versionId: string; }, {
          id: string;
          template_id: string;
          name: string;
          subject: string;
          /** The `updated_at` of the template in this state. */
          saved_at: string;
          html_body: string;
          text_body: string;
          preheader: string;
        }>;
        /** Lists the earlier versions of a template. */
        list: Call<{ projectId: string; templateId: string; limit?: number; offset?: number; }, { versions: Array<TemplateVersion>; }>;
        /** Restores the content of an earlier version. */
        restore: Call<{ projectId: string; templateId: string; versionId: string; }, Template>;
      };
    };
    /** Changes the name or the description of a project. */
    update: Call<{ projectId: string; body?: { name?: string; description?: string; }; }, Project>;
    webhooks: {
      /** Creates a webhook; only this response shows its secret. */
      create: Call<{
        projectId: string;
        body: {
          url: string;
          events?: Array<
            | "email.sent"
            | "email.failed"
            | "email.opened"
            | "email.clicked"
            | "subscriber.created"
            | "subscriber.unsubscribed"
            | "email.bounced"
            | "email.complained"
            | "subscriber.confirmed"
            | "subscriber.updated"
            | "broadcast.started"
            | "broadcast.finished"
            | "broadcast.paused"
            | "email.delivery_delayed"
            | "email.suppressed"
            | "email.scheduled"
            | "automation.step"> | null;
          format?: "postrider" | "resend";
        };
      }, Webhook>;
      /** Deletes a webhook. */
      delete: Call<{ projectId: string; webhookId: string; }, undefined>;
      deliveries: {
        /** Returns a delivery with its payload and its response. */
        get: Call<{ projectId: string; webhookId: string; deliveryId: string; }, {
          id: string;
          event_type: string;
          status: "pending" | "inflight" | "delivered" | "failed";
          attempts: number;
          /** Present if the last attempt got a response. */
          last_status_code?: number;
          /** Present if the last attempt failed. */
          last_error?: string;
          /** Present while the delivery is pending. */
          next_attempt_at?: string;
          /** Present after a success. */
          delivered_at?: string;
          created_at: string;
          payload: Record<string, unknown>;
          answer: { body: string; is_complete: boolean; } | null;
        }>;
        /** Lists the deliveries of a webhook. */
        list: PagedCall<{
          projectId: string;
          webhookId: string;
          limit?: number;
          offset?: number;
          after?: string;
          fields?: "full";
        }, {
          deliveries: Array<{
            id: string;
            event_type: string;
            status: "pending" | "inflight" | "delivered" | "failed";
            attempts: number;
            /** Present if the last attempt got a response. */
            last_status_code?: number;
            /** Present if the last attempt failed. */
            last_error?: string;
            /** Present while the delivery is pending. */
            next_attempt_at?: string;
            /** Present after a success. */
            delivered_at?: string;
            created_at: string;
            payload?: Record<string, unknown>;
            answer?: { body: string; is_complete: boolean; } | null;
          }>;
          total?: number;
          next?: string | null;
        }, {
          id: string;
          event_type: string;
          status: "pending" | "inflight" | "delivered" | "failed";
          attempts: number;
          /** Present if the last attempt got a response. */
          last_status_code?: number;
          /** Present if the last attempt failed. */
          last_error?: string;
          /** Present while the delivery is pending. */
          next_attempt_at?: string;
          /** Present after a success. */
          delivered_at?: string;
          created_at: string;
          payload?: Record<string, unknown>;
          answer?: { body: string; is_complete: boolean; } | null;
        }>;
        /** Redelivers an event of a webhook. */
        replay: Call<{ projectId: string; webhookId: string; deliveryId: string; }, WebhookDelivery>;
      };
      /** Returns a webhook. */
      get: Call<{ projectId: string; webhookId: string; }, Webhook>;
      /** Lists the webhooks of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; }, { webhooks: Array<Webhook>; }>;
      /** Delivers a test event to a webhook. */
      test: Call<{ projectId: string; webhookId: string; }, WebhookDelivery>;
      /** Pauses or resumes a webhook. */
      update: Call<{
        projectId: string;
        webhookId: string;
        body?: {
          active?: boolean;
          url?: string;
          events?: Array<
            | "email.sent"
            | "email.failed"
            | "email.opened"
            | "email.clicked"
            | "subscriber.created"
            | "subscriber.unsubscribed"
            | "email.bounced"
            | "email.complained"
            | "subscriber.confirmed"
            | "subscriber.updated"
            | "broadcast.started"
            | "broadcast.finished"
            | "broadcast.paused"
            | "email.delivery_delayed"
            | "email.suppressed"
            | "email.scheduled"
            | "automation.step">;
        };
      }, Webhook>;
    };
  };
  service: {
    deadLetters: {
      /** Lists the dead letters: queue messages that could not be processed. */
      list: PagedCall<{ limit?: number; offset?: number; after?: string; }, {
        dead_letters: Array<DeadLetter>;
        total?: number;
        next?: string | null;
        waiting: number;
      }, DeadLetter>;
      /** Replays a dead letter: puts the message back into its queue. */
      replay: Call<{ letterId: string; }, DeadLetter>;
    };
    mail: {
      /** Chooses the project that sends the service's own emails. */
      choose: Call<{ body?: { project_id?: string; }; }, { project_id: string | null; ready: boolean; }>;
      /** Returns the project that sends the service's own emails. */
      get: Call<{}, { project_id: string | null; ready: boolean; }>;
    };
  };
  workspaces: {
    auditLog: {
      /** Lists the audit entries of a workspace. */
      list: PagedCall<{
        workspaceId: string;
        limit?: number;
        offset?: number;
        after?: string;
        action?: string;
        from?: string;
        to?: string;
        deleted_project?: string;
      }, { entries: Array<AuditEntry>; total?: number; next?: string | null; }, AuditEntry>;
    };
    /** Creates a workspace. */
    create: Call<{ body: { name: string; }; }, {
      id: string;
      name: string;
      created_by: string;
      created_at: string;
      updated_at: string;
      role: "owner" | "admin" | "developer" | "member" | "viewer";
    }>;
    /** Deletes a workspace without projects. */
    delete: Call<{ workspaceId: string; }, undefined>;
    /** Returns a workspace. */
    get: Call<{ workspaceId: string; }, Workspace>;
    invitations: {
      /** Invites a person to a workspace by email. */
      create: Call<{
        workspaceId: string;
        body: {
          /** An email address. */
          email: string;
          role?: "owner" | "admin" | "developer" | "member" | "viewer";
        };
      }, Invitation>;
      /** Lists the open invitations of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, { invitations: Array<Invitation>; }>;
      /** Resends an invitation. */
      resend: Call<{ workspaceId: string; invitationId: string; }, Invitation>;
      /** Withdraws an invitation. */
      withdraw: Call<{ workspaceId: string; invitationId: string; }, undefined>;
    };
    /** Lists the workspaces of the person. */
    list: Call<{ limit?: number; offset?: number; }, { workspaces: Array<Workspace>; }>;
    members: {
      /** Adds a person with an account to a workspace; in cloud mode, through an invitation. */
      add: Call<{
        workspaceId: string;
        body: {
          /** An email address. */
          email: string;
          role?: "owner" | "admin" | "developer" | "member" | "viewer";
        };
      }, Member>;
      /** Lists the members of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, { members: Array<Member>; }>;
      /** Removes a member from a workspace. */
      remove: Call<{ workspaceId: string; userId: string; }, undefined>;
      /** Changes the role of a member. */
      setRole: Call<{
        workspaceId: string;
        userId: string;
        body: { role: "owner" | "admin" | "developer" | "member" | "viewer"; };
      }, undefined>;
    };
    projects: {
      /** Lists the projects of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, Array<Project>>;
    };
    /** Renames a workspace. */
    rename: Call<{ workspaceId: string; body: { name: string; }; }, Workspace>;
    users: {
      /** Creates an account and adds the person to a workspace, except in cloud mode. */
      create: Call<{
        workspaceId: string;
        body: {
          /** An email address. */
          email: string;
          name: string;
          password: string;
          role?: "owner" | "admin" | "developer" | "member" | "viewer";
        };
      }, {
        user_id: string;
        email: string;
        name: string;
        role: "owner" | "admin" | "developer" | "member" | "viewer";
      }>;
    };
  };
}

/** Calls with a session. */
export interface SessionCalls {
  auth: {
    /** Emails a link to a new address, which the account gets when the link is confirmed. */
    changeEmail: Call<{
      body: {
        /** An email address. */
        email: string;
        current_password: string;
      };
    }, undefined>;
    /** Changes the password and ends all other sessions. */
    changePassword: Call<{ body: { current_password: string; new_password: string; }; }, undefined>;
    /** Confirms the person's address with an emailed token. */
    confirmAddress: Call<{ body: { token: string; }; }, undefined>;
    device: {
      /** Confirms the login of a program, which gets an access token, or declines it. */
      answer: Call<{ body: { user_code: string; approve: boolean; project_ids?: Array<string>; }; }, undefined>;
      /** Returns which program waits for a code to be confirmed. */
      lookUp: Call<{ body: { user_code: string; }; }, { name: string; ip_address: string; expires_at: string; }>;
    };
    /** Resends the link that confirms the address. */
    resendConfirmation: Call<{}, undefined>;
    sessions: {
      /** Ends a session of the person. */
      end: Call<{ sessionId: string; }, undefined>;
      /** Lists the sessions of the person. */
      list: Call<{}, { sessions: Array<Session>; }>;
    };
    tokens: {
      /** Creates an access token; only this response shows it. */
      create: Call<{ body: { name: string; expires_at?: string; project_ids?: Array<string>; }; }, {
        id: string;
        name: string;
        /** The projects that the token reaches. Null: all of the person. */
        project_ids: Array<string> | null;
        created_at: string;
        /** Written at most once an hour. */
        last_used_at: string | null;
        /** Null: the token does not expire. */
        expires_at: string | null;
        token: string;
      }>;
      /** Ends an access token of the person. */
      end: Call<{ tokenId: string; }, undefined>;
      /** Lists the access tokens of the person. */
      list: Call<{}, { tokens: Array<AccessToken>; }>;
    };
    /** Changes the person's name. */
    updateMe: Call<{ body: { name: string; }; }, User>;
  };
}

/** Calls with a secret key (`sdk_`); `join` also takes a public key (`pk_`). */
export interface KeyedCalls {
  keyed: {
    broadcasts: {
      /** Cancels a broadcast. */
      cancel: Call<{ broadcastId: string; }, Broadcast>;
      /** Chooses the winner of an A/B test. */
      chooseWinner: Call<{ broadcastId: string; body: { variant: "A" | "B" | "C" | "D" | "E"; }; }, BroadcastDetails>;
      /** Counts the recipients of a draft, with other audience fields if any are given. */
      countAudience: Call<{
        broadcastId: string;
        body?: {
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
        };
      }, {
        active: number;
        suppressed: number;
        without_consent: number;
        too_soon: number;
        total: number;
      }>;
      /** Saves a broadcast as a draft. */
      create: Call<{
        body: {
          name: string;
          /** A UUID. "" clears it. */
          template_id?: string;
          /** One line. "" clears it. */
          subject?: string;
          /** One line. "" clears it. */
          preview_text?: string;
          /** One line. "" clears it. */
          from_name?: string;
          /** An email address. "" clears it. */
          reply_to?: string;
          html_body?: string;
          text_body?: string;
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
          variables?: Record<string, unknown>;
          /** An RFC 3339 timestamp. "" clears it. */
          send_at?: string;
          /** A time zone of the IANA database. "" clears it. */
          time_zone?: string;
          max_delay_minutes?: number;
          per_hour?: number;
          warm_up?: { first_day: number; };
          ab?: {
            variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>;
            share?: number;
            wait_hours?: number;
            by?: "opens" | "clicks" | "manual";
          };
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          /** What replaces the campaign parameters of the project; `off` for none on any link. */
          utm?: "off" | { source?: string; medium?: string; campaign?: string; };
        };
      }, BroadcastDetails>;
      /** Deletes a draft. */
      delete: Call<{ broadcastId: string; }, undefined>;
      /** Copies a broadcast as a draft. */
      duplicate: Call<{ broadcastId: string; body?: { name?: string; }; }, BroadcastDetails>;
      /** Returns a broadcast with its progress. */
      get: Call<{ broadcastId: string; }, {
        broadcastId: string;
        subject: string;
        state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
        sent: number;
        failed: number;
        bounced: number;
        suppressed: number;
        error: string | null;
        createdAt: string;
        finishedAt: string | null;
      } | {
        id: string;
        project_id: string;
        /** Null for HTML in the request. */
        template_id: string | null;
        subject: string;
        state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled";
        sent: number;
        failed: number;
        bounced: number;
        suppressed: number;
        error: string | null;
        /** Why the broadcast was auto-paused, or did not go as planned. */
        reasons: Array<{ code: string; params?: Record<string, unknown>; message: string; }> | null;
        created_at: string;
        finished_at: string | null;
        /** Null for a broadcast that was not a draft. */
        name: string | null;
        send_at: string | null;
        /** Null for a draft. */
        starts_at: string | null;
        own_subject: string | null;
        preview_text: string | null;
        /** Null for the name of the project. */
        from_name: string | null;
        reply_to: string | null;
        html_body: string | null;
        text_body: string | null;
        topic_id: string | null;
        segment_id: string | null;
        where: string | null;
        exclude_segment_ids: Array<string>;
        audience: string | null;
        variables: Record<string, unknown>;
        time_zone: string | null;
        max_delay_minutes: number | null;
        per_hour: number | null;
        warm_up: { first_day: number; } | null;
        ab: {
          variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>;
          share: number;
          wait_hours: number;
          by: "opens" | "clicks" | "manual";
        } | null;
        resend: { of: string; to: "failed" | "failed_or_unknown" | "joined" | "not_opened"; } | null;
        updated_at: string | null;
        /** What replaces the tracking of its template and project. */
        tracking: { opens?: boolean; clicks?: boolean; };
        /** What replaces the campaign parameters of the project; `off` for none on any link. */
        utm: "off" | { source?: string; medium?: string; campaign?: string; };
        waiting_for: { broadcast_id: string; name: string; } | null;
        broadcastId: string;
        createdAt: string;
        finishedAt: string | null;
      }>;
      /** Lists the broadcasts of a project. */
      list: PagedCall<{
        limit?: number;
        offset?: number;
        after?: string;
        state?: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled" | "all";
        include?: "opens_by_hour";
      }, { broadcasts: Array<ListedBroadcast>; total?: number; next?: string | null; }, ListedBroadcast>;
      /** Pauses a broadcast. */
      pause: Call<{ broadcastId: string; }, Broadcast>;
      /** Counts the recipients of a draft and lists its problems. */
      preflight: Call<{ broadcastId: string; }, Preflight>;
      /** Copies a broadcast as a draft to the people that it did not reach. */
      resend: Call<{
        broadcastId: string;
        body: {
          to: "failed" | "failed_or_unknown" | "joined" | "not_opened";
          subject?: string;
          name?: string;
        };
      }, BroadcastDetails>;
      /** Resumes a paused broadcast. */
      resume: Call<{ broadcastId: string; }, Broadcast>;
      /** Starts a broadcast to the subscribers of the key's project. */
      start: Call<{
        body: {
          subject: string;
          template?: string;
          html?: string;
          filter?: { status?: "confirmed" | "active" | "pending" | "unsubscribed"; source?: string; };
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
        };
      }, { message: "broadcast started"; broadcastId: string; }>;
      /** Schedules a draft. */
      startDraft: Call<{
        broadcastId: string;
        body?: {
          accept?: Array<
            | "broken_audience"
            | "empty_audience"
            | "unknown_topic"
            | "similar_broadcast"
            | "wrong_start_time"
            | "no_content"
            | "broken_content"
            | "too_large"
            | "invalid_link"
            | "no_sender"
            | "storage_full"
            | "missing_variable"
            | "no_unsubscribe_link"
            | "broken_link"
            | "clipped"
            | "placeholder"
            | "sender_problem"
            | "daily_limit"
            | "storage_short"
            | "paused_broadcast"
            | "identical_variants"
            | "link_not_https"
            | "link_unclear"
            | "no_text_part"
            | "image_without_alt"
            | "sender_warning">;
        };
      }, { broadcast_id: string; starts_at: string; }>;
      /** Returns the result of an A/B test. */
      trial: Call<{ broadcastId: string; }, AbTest>;
      /** Turns a scheduled broadcast back into a draft. */
      undoStart: Call<{ broadcastId: string; }, BroadcastDetails>;
      /** Changes fields of a draft. */
      update: Call<{
        broadcastId: string;
        body?: {
          name?: string;
          /** A UUID. "" clears it. */
          template_id?: string;
          /** One line. "" clears it. */
          subject?: string;
          /** One line. "" clears it. */
          preview_text?: string;
          /** One line. "" clears it. */
          from_name?: string;
          /** An email address. "" clears it. */
          reply_to?: string;
          html_body?: string;
          text_body?: string;
          /** A UUID. "" clears it. */
          topic_id?: string;
          /** A UUID. "" clears it. */
          segment_id?: string;
          /** A condition on one line. "" clears it. */
          where?: string;
          exclude_segment_ids?: Array<string>;
          variables?: Record<string, unknown>;
          /** An RFC 3339 timestamp. "" clears it. */
          send_at?: string;
          /** A time zone of the IANA database. "" clears it. */
          time_zone?: string;
          max_delay_minutes?: number;
          per_hour?: number;
          warm_up?: { first_day: number; };
          ab?: {
            variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>;
            share?: number;
            wait_hours?: number;
            by?: "opens" | "clicks" | "manual";
          };
          tracking?: {
            /** Whether the HTML has an open pixel. */
            opens?: boolean;
            /** Whether links lead through this service. */
            clicks?: boolean;
          };
          /** What replaces the campaign parameters of the project; `off` for none on any link. */
          utm?: "off" | { source?: string; medium?: string; campaign?: string; };
          accept?: Array<
            | "broken_audience"
            | "empty_audience"
            | "unknown_topic"
            | "similar_broadcast"
            | "wrong_start_time"
            | "no_content"
            | "broken_content"
            | "too_large"
            | "invalid_link"
            | "no_sender"
            | "storage_full"
            | "missing_variable"
            | "no_unsubscribe_link"
            | "broken_link"
            | "clipped"
            | "placeholder"
            | "sender_problem"
            | "daily_limit"
            | "storage_short"
            | "paused_broadcast"
            | "identical_variants"
            | "link_not_https"
            | "link_unclear"
            | "no_text_part"
            | "image_without_alt"
            | "sender_warning">;
        };
      }, BroadcastDetails>;
    };
    /** Subscribes an address; works from a web page. */
    join: Call<{
      body: {
        /** An email address. */
        email: string;
        metadata?: Record<string, unknown>;
        sendWelcomeEmail?: boolean;
        topics?: Array<string>;
        turnstile_token?: string;
        "cf-turnstile-response"?: string;
      };
    }, {
      email: string;
      message: "subscribed" | "confirmation requested";
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    }>;
    segments: {
      /** Counts the subscribers of up to 20 segments, checking 6,000 for each. */
      count: Call<{ body: { segment_ids: Array<string>; }; }, {
        counts: Array<{
          segment_id: string;
          count: number;
          /** True if subscribers who were not checked may match. */
          more: boolean;
        }>;
      }>;
      /** Creates a segment: a named condition on subscribers. */
      create: Call<{ body: { name: string; where: string | Record<string, unknown>; }; }, Segment>;
      /** Deletes a segment; its subscribers are kept. */
      delete: Call<{ segmentId: string; }, undefined>;
      /** Returns a segment. */
      get: Call<{ segmentId: string; }, Segment>;
      /** Lists the segments of a project. */
      list: Call<{}, { segments: Array<Segment>; }>;
      /** Counts the subscribers that match a condition, up to 10,000, and shows ten of them. */
      preview: Call<{
        body: {
          where: string | Record<string, unknown>;
          status?: "active" | "pending" | "unsubscribed";
          topic_id?: string;
        };
      }, {
        count: number;
        more: boolean;
        sample: Array<Subscriber>;
        /** Keys of the metadata that none of the newest subscribers has. */
        warnings: Array<{ code: string; params?: Record<string, unknown>; message: string; }>;
      }>;
      /** Changes the name or the condition of a segment. */
      update: Call<{
        segmentId: string;
        body?: { name?: string; where?: string | Record<string, unknown>; };
      }, Segment>;
    };
    /** Sends one email, with names instead of IDs. */
    send: Call<{
      body: {
        /** An email address, with or without a name. */
        email?: string;
        /** An email address, with or without a name. */
        to?: string;
        template?: string;
        html?: string;
        subject?: string;
        data?: Record<string, unknown>;
        /** An email address, with or without a name. */
        from?: string;
        /** When to send, at most 30 days ahead; now if left out. */
        scheduled_at?: string;
        /** The topic of the email. Who has not consented to it gets no email. */
        topic_id?: string;
        tracking?: {
          /** Whether the HTML has an open pixel. */
          opens?: boolean;
          /** Whether links lead through this service. */
          clicks?: boolean;
        };
        /** Text that email clients show next to the subject. */
        preheader?: string;
      };
    }, {
      message: "sent";
      template: string | null;
      to: string;
      id: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    } | {
      message: "scheduled";
      template: string | null;
      to: string;
      id: string;
      scheduled_at: string;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    }>;
    subscribers: {
      /** Lists the subscribers of the key's project. */
      list: PagedCall<{ limit?: number; offset?: number; after?: string; }, {
        subscribers: Array<{ email: string; metadata: Record<string, unknown>; createdAt: string; }>;
        pagination: { total?: number; next?: string | null; limit: number; offset: number; };
      }, { email: string; metadata: Record<string, unknown>; createdAt: string; }>;
      topics: {
        /** Returns the consents of a subscriber with their history. */
        get: Call<{ subscriber: string; }, Consents>;
        /** Sets the consent of a subscriber to some topics. */
        save: Call<{ subscriber: string; body?: Record<string, "subscribed" | "unsubscribed">; }, Consents>;
      };
    };
    topics: {
      /** Adds a topic to which subscribers can consent. */
      create: Call<{
        body: {
          name: string;
          description?: string;
          is_default?: boolean;
          public_archive?: boolean;
          visibility?: "public" | "private";
        };
      }, Topic>;
      /** Deletes a topic and the consents to it. */
      delete: Call<{ topicId: string; }, undefined>;
      /** Returns a topic. */
      get: Call<{ topicId: string; }, Topic>;
      /** Lists the topics of a project with the numbers of their subscribers. */
      list: Call<{}, { topics: Array<ListedTopic>; }>;
      /** Changes a topic. */
      update: Call<{
        topicId: string;
        body?: {
          name?: string;
          description?: string;
          is_default?: boolean;
          public_archive?: boolean;
          visibility?: "public" | "private";
        };
      }, Topic>;
    };
    /** Records events of people, one or up to 1,000. */
    track: Call<{
      body: {
        name: string;
        /** An email address. */
        email?: string;
        subscriber_id?: string;
        data?: Record<string, unknown>;
        /** Now by default; at most 90 days ago. */
        occurred_at?: string;
        /** Whether an unknown address joins as a subscriber. */
        create?: "active" | "pending" | "none";
      } | {
        events: Array<{
          name: string;
          /** An email address. */
          email?: string;
          subscriber_id?: string;
          data?: Record<string, unknown>;
          /** Now by default; at most 90 days ago. */
          occurred_at?: string;
          /** Whether an unknown address joins as a subscriber. */
          create?: "active" | "pending" | "none";
        }>;
      } | Array<{
        name: string;
        /** An email address. */
        email?: string;
        subscriber_id?: string;
        data?: Record<string, unknown>;
        /** Now by default; at most 90 days ago. */
        occurred_at?: string;
        /** Whether an unknown address joins as a subscriber. */
        create?: "active" | "pending" | "none";
      }>;
    }, {
      /** The events stored. */
      accepted: number;
      /** The events that name nobody in the project. */
      unknown: number;
      /** The fields of the body that the call does not know; absent if there are none. */
      warnings?: Array<Warning>;
    }>;
  };
}

/** The calls of a key. */
export type KeyClient = PublicCalls & ProjectCalls & KeyedCalls;

/** The calls of an access token. */
export type TokenClient = PublicCalls & ProjectCalls & PersonCalls;

/** The calls of a session. */
export type Client = TokenClient & SessionCalls;
