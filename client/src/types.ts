// `npm run openapi` writes this file from the routes.
import type { Call, PagedCall } from "./calls.ts";

/** The calls of the service, as in its OpenAPI document. */
export interface Client {
  auth: {
    auditLog: {
      /** Lists the audit entries of the account. */
      list: PagedCall<{ limit?: number; offset?: number; after?: string; action?: string; from?: string; to?: string; }, { entries: Array<{ id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>; total?: number; next?: string | null; }, { id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>;
    };
    /** Changes the password and ends all other sessions. */
    changePassword: Call<{ body: { current_password: string; new_password: string; }; }, undefined>;
    /** Confirms the address of the person with a mailed token. */
    confirmAddress: Call<{ body: { token: string; }; }, undefined>;
    /** Mails a link that sets a new password. */
    forgotPassword: Call<{ body: { email: string; }; }, undefined>;
    /** Logs a person in. */
    login: Call<{ body: { email: string; password: string; }; }, { user: { id: string; email: string; name: string; }; }>;
    /** Ends the session of the request. */
    logout: Call<{}, undefined>;
    /** Returns the person behind the session and their workspaces. */
    me: Call<{}, { license: { tier: "pro" | "team" | null; features: Array<"webhooks" | "analytics" | "audit log" | "workspace members">; expires_at: string | null; }; user: { id: string; email: string; name: string; email_verified: boolean; }; workspaces: Array<{ id: string; name: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; capabilities: Array<"read" | "audit:read" | "projects:write" | "projects:delete" | "api_keys:write" | "webhooks:write" | "templates:write" | "subscribers:write" | "send:transactional" | "send:broadcast" | "suppressions:write" | "workspace:write" | "members:write">; }>; }>;
    /** Registers a person and logs them in. */
    register: Call<{ body: { email: string; name: string; password: string; setup_token?: string; }; }, { user: { id: string; email: string; name: string; }; }>;
    /** Mails the link that confirms the address again. */
    resendConfirmation: Call<{}, undefined>;
    /** Sets a new password with the token of a mailed link. */
    resetPassword: Call<{ body: { token: string; password: string; }; }, undefined>;
    sessions: {
      /** Ends a session of the person. */
      end: Call<{ sessionId: string; }, undefined>;
      /** Lists the sessions of the person. */
      list: Call<{}, { sessions: Array<{ id: string; created_at: string; last_seen_at: string; expires_at: string; ip_address: string; user_agent: string; current: boolean; }>; }>;
    };
    /** Tells whether the first account is still to be made, and who may register. */
    setup: Call<{}, { needed: boolean; registration: "open" | "setup_token" | "closed"; }>;
  };
  invitations: {
    /** Accepts an invitation with its mailed token. */
    accept: Call<{ body: { token: string; name?: string; password?: string; }; }, { workspace: { id: string; name: string; }; } | { workspace: { id: string; name: string; }; user: { id: string; email: string; name: string; }; }>;
    /** Returns the invitation of a mailed token. */
    lookUp: Call<{ body: { token: string; }; }, { email: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; workspace: { id: string; name: string; }; invited_by: string; has_account: boolean; expires_at: string; }>;
  };
  keyed: {
    broadcasts: {
      /** Returns the progress of a broadcast. */
      get: Call<{ broadcastId: string; }, ({ success: true; data: { broadcastId: string; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; createdAt: string; finishedAt: string | null; }; })["data"]>;
      /** Starts a broadcast to the subscribers of the key's project. */
      start: Call<{ body: { subject: string; template?: string; html?: string; filter?: { status?: "confirmed" | "active" | "pending" | "unsubscribed"; source?: string; }; }; }, ({ success: true; data: { message: "broadcast started"; broadcastId: string; }; })["data"]>;
    };
    /** Subscribes an address, also from a web page. */
    join: Call<{ body: { email: string; metadata?: Record<string, unknown>; sendWelcomeEmail?: boolean; topics?: Array<string>; }; }, ({ success: true; data: { email: string; message: "subscribed" | "confirmation requested"; }; })["data"]>;
    /** Sends one mail by names instead of ids. */
    send: Call<{ body: { email?: string; to?: string; template?: string; html?: string; subject?: string; data?: Record<string, unknown>; }; }, ({ success: true; data: { message: "sent"; template: string | null; to: string; id: string; }; })["data"]>;
    subscribers: {
      /** Lists the subscribers of the key's project. */
      list: PagedCall<{ limit?: number; offset?: number; after?: string; }, ({ success: true; data: { subscribers: Array<{ email: string; metadata: Record<string, unknown>; createdAt: string; }>; pagination: { total?: number; next?: string | null; limit: number; offset: number; }; }; })["data"], { email: string; metadata: Record<string, unknown>; createdAt: string; }>;
    };
  };
  projects: {
    analytics: {
      /** Summarises the mails, opens and clicks of a time. */
      overview: Call<{ projectId: string; from: string; to: string; }, { total_sent: number; total_failed: number; total_opened: number; total_clicked: number; deliverability_pct: number; open_rate_pct: number; click_rate_pct: number; from: string; to: string; granularity: "hour" | "day" | "week" | "month"; range_days: number; click_to_open_pct: number; active_subscribers: number; opens_series: Array<{ bucket: string; opens: number; }>; top_templates: Array<{ template_id: string; name: string; sends: number; }>; top_clicked_links: Array<{ url: string; clicks: number; }>; sends_by_status: Array<{ status: "sent" | "failed" | "bounced" | "suppressed"; count: number; }>; previous: { total_sent: number; total_failed: number; total_opened: number; total_clicked: number; deliverability_pct: number; open_rate_pct: number; click_rate_pct: number; }; }>;
      /** Counts the refused mails of a time by reason. */
      refusals: Call<{ projectId: string; from: string; to: string; }, { from: string; to: string; refusals: Array<{ reason: string | null; failed: number; bounced: number; }>; is_complete: boolean; }>;
    };
    apiKeys: {
      /** Creates an API key; this answer alone shows it. */
      create: Call<{ projectId: string; body: { name: string; type?: "sk" | "pk" | "sdk"; rate_limit_per_minute?: number | null; capabilities?: Array<"read" | "audit:read" | "projects:write" | "projects:delete" | "api_keys:write" | "webhooks:write" | "templates:write" | "subscribers:write" | "send:transactional" | "send:broadcast" | "suppressions:write" | "workspace:write" | "members:write">; }; }, { id: string; name: string; type: "sk" | "pk" | "sdk"; prefix: string; capabilities: Array<"read" | "audit:read" | "projects:write" | "projects:delete" | "api_keys:write" | "webhooks:write" | "templates:write" | "subscribers:write" | "send:transactional" | "send:broadcast" | "suppressions:write" | "workspace:write" | "members:write">; created_by: string | null; created_by_name: string | null; created_by_email: string | null; rate_limit_per_minute: number | null; created_at: string; last_used_at: string | null; key: string; }>;
      /** Lists the API keys of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; }, { api_keys: Array<{ id: string; name: string; type: "sk" | "pk" | "sdk"; prefix: string; capabilities: Array<"read" | "audit:read" | "projects:write" | "projects:delete" | "api_keys:write" | "webhooks:write" | "templates:write" | "subscribers:write" | "send:transactional" | "send:broadcast" | "suppressions:write" | "workspace:write" | "members:write">; created_by: string | null; created_by_name: string | null; created_by_email: string | null; rate_limit_per_minute: number | null; created_at: string; last_used_at: string | null; }>; }>;
      /** Revokes an API key. */
      revoke: Call<{ projectId: string; keyId: string; }, undefined>;
    };
    audience: {
      /** Imports a list that another service exported, or says what that would do. */
      import: Call<{ projectId: string; format?: "listmonk" | "mailchimp_cleaned" | "mailchimp_unsubscribed" | "mailchimp_subscribed" | "brevo" | "mailerlite" | "resend" | "plunk" | "sendgrid_contacts" | "postmark_suppressions" | "ses_suppressions" | "sendgrid_bounces" | "sendgrid_invalid_emails" | "sendgrid_spam_reports" | "sendgrid_unsubscribes" | "mailgun_bounces" | "mailgun_unsubscribes" | "mailgun_complaints"; status?: "active" | "pending" | "unsubscribed"; dry_run?: "true" | "false"; body: { file: string; format?: "listmonk" | "mailchimp_cleaned" | "mailchimp_unsubscribed" | "mailchimp_subscribed" | "brevo" | "mailerlite" | "resend" | "plunk" | "sendgrid_contacts" | "postmark_suppressions" | "ses_suppressions" | "sendgrid_bounces" | "sendgrid_invalid_emails" | "sendgrid_spam_reports" | "sendgrid_unsubscribes" | "mailgun_bounces" | "mailgun_unsubscribes" | "mailgun_complaints"; mapping?: { email?: string; name?: Array<string>; tags?: string; status?: { column: string; values?: Record<string, "active" | "pending" | "unsubscribed" | "opted_out" | "bounced" | "complained" | "blocked" | "ignored">; }; metadata?: Record<string, string>; }; status?: "active" | "pending" | "unsubscribed"; topics?: Array<string>; dry_run?: boolean; }; }, { dry_run: boolean; format: "listmonk" | "mailchimp_cleaned" | "mailchimp_unsubscribed" | "mailchimp_subscribed" | "brevo" | "mailerlite" | "resend" | "plunk" | "sendgrid_contacts" | "postmark_suppressions" | "ses_suppressions" | "sendgrid_bounces" | "sendgrid_invalid_emails" | "sendgrid_spam_reports" | "sendgrid_unsubscribes" | "mailgun_bounces" | "mailgun_unsubscribes" | "mailgun_complaints" | null; columns: Array<string>; mapping: { email?: string; name: Array<string>; tags?: string; metadata: Record<string, string>; }; needs: Array<"mapping" | "status" | "suppressions:write">; rows: number; imported: number; unsubscribed: number; suppressed: number; skipped: number; ignored: number; rejected_rows: number; rejected: Array<{ line: number; email: string; reason: "invalid_syntax" | "invalid_status" | "invalid_metadata" | "no_mx" | "disposable"; }>; sample: Array<{ email: string; name: string; outcome: "active" | "pending" | "unsubscribed" | "opted_out" | "bounced" | "complained" | "blocked" | "ignored"; tags: Array<string>; metadata: Record<string, unknown>; }>; }>;
    };
    audienceSettings: {
      /** Returns how a project treats its audience. */
      get: Call<{ projectId: string; }, { double_opt_in: boolean; confirmation_template_id: string | null; form_text: string; language: "en" | "de" | "fr" | "es" | "pt"; min_days_between_broadcasts: number; click_ip_days: number; }>;
      /** Changes how a project treats its audience. */
      save: Call<{ projectId: string; body?: { double_opt_in?: boolean; confirmation_template_id?: string; form_text?: string; language?: "en" | "de" | "fr" | "es" | "pt"; min_days_between_broadcasts?: number; click_ip_days?: number; }; }, { double_opt_in: boolean; confirmation_template_id: string | null; form_text: string; language: "en" | "de" | "fr" | "es" | "pt"; min_days_between_broadcasts: number; click_ip_days: number; }>;
    };
    auditLog: {
      /** Lists the audit entries of a project. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; action?: string; from?: string; to?: string; }, { entries: Array<{ id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>; total?: number; next?: string | null; }, { id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>;
    };
    batches: {
      /** Returns a batch with its counts and a page of its failures. */
      get: Call<{ projectId: string; batchId: string; limit?: number; offset?: number; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "sending" | "done"; recipients: number; sent: number; failed: number; bounced: number; suppressed: number; failures: Array<{ to: string; status: "failed" | "bounced" | "suppressed"; error: string; }>; created_at: string; finished_at: string | null; }>;
    };
    bounceMailbox: {
      /** Returns the bounce mailbox of a project. */
      get: Call<{ projectId: string; }, { enabled: boolean; host: string; port: number; user: string; folder: string; last_polled_at: string | null; last_error: string; }>;
      /** Saves the bounce mailbox of a project. */
      save: Call<{ projectId: string; body: { enabled: boolean; host?: string; port?: number; user?: string; password?: string; folder?: string; }; }, { enabled: boolean; host: string; port: number; user: string; folder: string; last_polled_at: string | null; last_error: string; }>;
      /** Logs in to the bounce mailbox and counts its unread messages. */
      test: Call<{ projectId: string; }, { message: "connected"; unseen: number; steps: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; }>;
    };
    bounceSettings: {
      /** Returns how a project treats bounces. */
      get: Call<{ projectId: string; }, { suppress_on_any_5xx: boolean; bounce_proof: "required" | "recent"; brakes: { bad_address_pct: number; sender_refusal_pct: number; sender_refusals_in_a_row: number; complaint_pct: number; sample_first: boolean; }; soft_bounce_limit: number; return_path: string | null; forward_to: string | null; }>;
      /** Changes how a project treats bounces. */
      save: Call<{ projectId: string; body?: { suppress_on_any_5xx?: boolean; bounce_proof?: "required" | "recent"; brakes?: { bad_address_pct?: number; sender_refusal_pct?: number; sender_refusals_in_a_row?: number; complaint_pct?: number; sample_first?: boolean; }; soft_bounce_limit?: number; return_path?: string; forward_to?: string; }; }, { suppress_on_any_5xx: boolean; bounce_proof: "required" | "recent"; brakes: { bad_address_pct: number; sender_refusal_pct: number; sender_refusals_in_a_row: number; complaint_pct: number; sample_first: boolean; }; soft_bounce_limit: number; return_path: string | null; forward_to: string | null; }>;
    };
    bounceUrl: {
      /** Returns the URL that takes bounce reports. */
      get: Call<{ projectId: string; }, { url: string; rotated_at: string; }>;
      /** Replaces the token of the URL that takes bounce reports. */
      rotate: Call<{ projectId: string; }, { url: string; rotated_at: string; }>;
      signatures: {
        /** Returns the signatures that bounce reports must have. */
        get: Call<{ projectId: string; }, { proof: "token" | "signature"; sns_topic_arn: string; sendgrid_public_key: string; has_mailgun_signing_key: boolean; }>;
        /** Changes the signatures that bounce reports must have. */
        save: Call<{ projectId: string; body?: { proof?: "token" | "signature"; sns_topic_arn?: string; sendgrid_public_key?: string; mailgun_signing_key?: string; }; }, { proof: "token" | "signature"; sns_topic_arn: string; sendgrid_public_key: string; has_mailgun_signing_key: boolean; }>;
      };
    };
    bounces: {
      /** Tells how the service reads a bounce message or an SMTP reply. */
      explain: Call<{ projectId: string; body: { message: string; } | { reply: string; phase?: string; }; }, { kind: "bounce" | "complaint" | "other"; recipients: Array<{ email: string; verdict: "bad_address" | "not_address" | "temporary"; reason: "user_unknown" | "mailbox_disabled" | "host_unknown" | "no_mx" | "mailbox_full" | "sender_rejected" | "blocked" | "policy" | "authentication" | "content" | "too_large" | "relaying_denied" | "system" | "unknown" | "rate_limited" | "greylisted" | "network" | "expired"; because: { wording: string; source: string; } | null; diagnostic: string; }>; message_ids: Array<string>; } | { verdict: "bad_address" | "not_address" | "temporary"; reason: "user_unknown" | "mailbox_disabled" | "host_unknown" | "no_mx" | "mailbox_full" | "sender_rejected" | "blocked" | "policy" | "authentication" | "content" | "too_large" | "relaying_denied" | "system" | "unknown" | "rate_limited" | "greylisted" | "network" | "expired"; because: { wording: string; source: string; } | null; }>;
      unverified: {
        /** Lists the bounce reports without proof. */
        list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; }, { reports: Array<{ email: string; kind: "bounce" | "complaint"; reason: string; diagnostic: string; log_id: string | null; reports: number; first_seen_at: string; last_seen_at: string; }>; total?: number; next?: string | null; }, { email: string; kind: "bounce" | "complaint"; reason: string; diagnostic: string; log_id: string | null; reports: number; first_seen_at: string; last_seen_at: string; }>;
        /** Suppresses addresses of reports without proof. */
        suppress: Call<{ projectId: string; body: { emails: Array<string>; }; }, { suppressed: number; }>;
      };
    };
    broadcasts: {
      /** Cancels a broadcast. */
      cancel: Call<{ projectId: string; broadcastId: string; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; }>;
      /** Chooses the winner of an A/B trial. */
      chooseWinner: Call<{ projectId: string; broadcastId: string; body: { variant: "A" | "B" | "C" | "D" | "E"; }; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Saves a broadcast as a draft. */
      create: Call<{ projectId: string; body: { name: string; template_id?: string; subject?: string; html_body?: string; text_body?: string; topic_id?: string; segment_id?: string; where?: string; exclude_segment_ids?: Array<string>; variables?: Record<string, unknown>; send_at?: string; time_zone?: string; max_delay_minutes?: number; per_hour?: number; warm_up?: { first_day: number; }; ab?: { variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>; share?: number; wait_hours?: number; by?: "opens" | "clicks" | "manual"; }; }; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Deletes a draft. */
      delete: Call<{ projectId: string; broadcastId: string; }, undefined>;
      /** Copies a broadcast as a draft. */
      duplicate: Call<{ projectId: string; broadcastId: string; body?: { name?: string; }; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Returns a broadcast. */
      get: Call<{ projectId: string; broadcastId: string; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Counts the recipients of a broadcast by outcome and visit. */
      ledger: Call<{ projectId: string; broadcastId: string; }, { total: number; sent: number; failed: number; bounced: number; suppressed: number; unknown: number; waiting: number; skipped: number; complaints: number; rate_per_minute: number | null; estimated_end_at: string | null; retried_by: string | null; complained: number; opened: number; opened_human: number; clicked: number; clicked_human: number; unsubscribed: number; links: Array<{ url: string; clicked: number; clicked_human: number; }>; }>;
      /** Lists the broadcasts of a project. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; state?: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; }, { broadcasts: Array<{ id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; }>; total?: number; next?: string | null; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; }>;
      /** Pauses a broadcast. */
      pause: Call<{ projectId: string; broadcastId: string; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; }>;
      /** Counts the recipients of a draft and lists its problems. */
      preflight: Call<{ projectId: string; broadcastId: string; }, { recipients: { active: number; suppressed: number; without_consent: number; too_soon: number; total: number; }; problems: Array<{ code: "broken_audience" | "empty_audience" | "similar_broadcast" | "no_content" | "broken_content" | "too_large" | "invalid_link" | "no_sender" | "storage_full" | "missing_variable" | "no_unsubscribe_link" | "broken_link" | "clipped" | "sender_problem" | "daily_limit" | "storage_short" | "paused_broadcast" | "link_not_https" | "link_unclear" | "links_left_out" | "no_text_part" | "image_without_alt" | "sender_warning"; grade: "stop" | "warning" | "hint"; message: string; fix_in: "audience" | "broadcast" | "content" | "sender" | "server" | "service"; }>; looked_at: { subscribers: number; links: number; }; expected: { mails: number; seconds: number; pace: "speed" | "max_per_second" | "max_per_hour" | "max_per_day" | "per_hour" | "warm_up" | "time_zones"; cost_usd: number; log_bytes: number; }; }>;
      /** Lists the recipients of a broadcast with their outcomes. */
      recipients: PagedCall<{ projectId: string; broadcastId: string; limit?: number; offset?: number; after?: string; outcome?: "sent" | "failed" | "bounced" | "suppressed" | "unknown" | "waiting"; search?: string; }, { recipients: Array<{ subscriber_id: string; email: string; outcome: "sent" | "failed" | "bounced" | "suppressed" | "unknown" | "waiting"; log_id: string | null; error: string | null; reason: string | null; sent_at: string | null; opened_at: string | null; clicked_at: string | null; }>; next: string | null; }, { subscriber_id: string; email: string; outcome: "sent" | "failed" | "bounced" | "suppressed" | "unknown" | "waiting"; log_id: string | null; error: string | null; reason: string | null; sent_at: string | null; opened_at: string | null; clicked_at: string | null; }>;
      /** Copies a broadcast as a draft to those whom it missed. */
      resend: Call<{ projectId: string; broadcastId: string; body: { to: "joined" | "not_opened"; subject?: string; name?: string; }; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Resumes a paused broadcast. */
      resume: Call<{ projectId: string; broadcastId: string; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; }>;
      /** Mails the failed recipients of a broadcast again. */
      retry: Call<{ projectId: string; broadcastId: string; body?: { include_unknown?: boolean; }; }, { broadcast_id: string; }>;
      /** Starts a broadcast to the active subscribers, and waits for its end. */
      start: Call<{ projectId: string; body: { template_id: string; subject?: string; }; }, { broadcast_id: string; sent: number; failed: number; bounced: number; suppressed: number; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; error?: string | null; } | { error: string; details?: Array<{ path: string; message: string; }>; id?: string; steps?: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; alternative?: { port: number; ok: boolean; steps: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; remedy?: string; }; problems?: Array<{ code: "broken_audience" | "empty_audience" | "similar_broadcast" | "no_content" | "broken_content" | "too_large" | "invalid_link" | "no_sender" | "storage_full" | "missing_variable" | "no_unsubscribe_link" | "broken_link" | "clipped" | "sender_problem" | "daily_limit" | "storage_short" | "paused_broadcast" | "link_not_https" | "link_unclear" | "links_left_out" | "no_text_part" | "image_without_alt" | "sender_warning"; grade: "stop" | "warning" | "hint"; message: string; fix_in: "audience" | "broadcast" | "content" | "sender" | "server" | "service"; }>; } | { broadcast_id: string; }>;
      /** Schedules a draft. */
      startDraft: Call<{ projectId: string; broadcastId: string; body?: { accept?: Array<"broken_audience" | "empty_audience" | "similar_broadcast" | "no_content" | "broken_content" | "too_large" | "invalid_link" | "no_sender" | "storage_full" | "missing_variable" | "no_unsubscribe_link" | "broken_link" | "clipped" | "sender_problem" | "daily_limit" | "storage_short" | "paused_broadcast" | "link_not_https" | "link_unclear" | "links_left_out" | "no_text_part" | "image_without_alt" | "sender_warning">; }; }, { broadcast_id: string; starts_at: string; }>;
      /** Returns the result of an A/B trial. */
      trial: Call<{ projectId: string; broadcastId: string; }, { winner: string | null; decides_at: string | null; variants: Array<{ variant: string; subject: string; mailed: number; opened_human: number; clicked_human: number; }>; leader: string | null; certainty: number | null; summary: string; }>;
      /** Makes a scheduled broadcast a draft again. */
      undoStart: Call<{ projectId: string; broadcastId: string; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
      /** Changes fields of a draft. */
      update: Call<{ projectId: string; broadcastId: string; body?: { name?: string; template_id?: string; subject?: string; html_body?: string; text_body?: string; topic_id?: string; segment_id?: string; where?: string; exclude_segment_ids?: Array<string>; variables?: Record<string, unknown>; send_at?: string; time_zone?: string; max_delay_minutes?: number; per_hour?: number; warm_up?: { first_day: number; }; ab?: { variants: Array<{ subject?: string; from_name?: string; template_id?: string; }>; share?: number; wait_hours?: number; by?: "opens" | "clicks" | "manual"; }; }; }, { id: string; project_id: string; template_id: string | null; subject: string; state: "draft" | "scheduled" | "queued" | "sending" | "paused" | "done" | "cancelled"; sent: number; failed: number; bounced: number; suppressed: number; error: string | null; created_at: string; finished_at: string | null; name: string | null; send_at: string | null; starts_at: string | null; own_subject: string | null; html_body: string | null; text_body: string | null; topic_id: string | null; segment_id: string | null; where: string | null; exclude_segment_ids: Array<string>; audience: string | null; variables: Record<string, unknown>; time_zone: string | null; max_delay_minutes: number | null; per_hour: number | null; warm_up: { first_day: number; } | null; ab: { variants: Array<{ subject: string | null; from_name: string | null; template_id: string | null; }>; share: number; wait_hours: number; by: "opens" | "clicks" | "manual"; } | null; resend: { of: string; to: "joined" | "not_opened"; } | null; updated_at: string | null; }>;
    };
    /** Creates a project. */
    create: Call<{ body: { name: string; description?: string; workspace_id?: string; }; }, { id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>;
    /** Deletes a project with everything in it. */
    delete: Call<{ projectId: string; }, undefined>;
    erasures: {
      /** Counts the erased addresses of a project, and the erasures that are not over. */
      count: Call<{ projectId: string; }, { total: number; running: number; }>;
      /** Erases an address, whether it is a subscriber or not. */
      create: Call<{ projectId: string; body: { email: string; }; }, undefined>;
      /** Lets an erased address come back after a new consent of its owner. */
      lift: Call<{ projectId: string; body: { email: string; consent: string; }; }, undefined>;
    };
    /** Returns all that a project keeps about an address, in pages. */
    exportAddress: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; email: string; }, { email: string | null; subscriber: { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; } | null; consents: { topics: Array<{ topic_id: string; name: string; state: "subscribed" | "unsubscribed" | null; since: string | null; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation" | null; }>; history: Array<{ topic_id: string | null; topic_name: string | null; action: "subscribed" | "unsubscribed" | "requested" | "confirmed"; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation"; at: string; ip_address: string; user_agent: string; form_text: string; }>; } | null; suppression: { id: string; project_id: string; email: string; reason: "hard_bounce" | "unsubscribed" | "manual"; source: string; created_at: string; last_seen_at: string; } | null; soft_bounces: { days: number; first_day: string; last_day: string; } | null; unverified_report: { kind: string; reason: string; words: string; last_seen_at: string; } | null; mails: Array<{ id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; opens: Array<{ at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; clicks: Array<{ url: string; at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; }>; next: string | null; }, { id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; opens: Array<{ at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; clicks: Array<{ url: string; at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; }>;
    /** Returns a project. */
    get: Call<{ projectId: string; }, { id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>;
    /** Lists the projects that the person made, or all of their workspaces. */
    list: Call<{ limit?: number; offset?: number; scope?: "own" | "all"; }, Array<{ id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>>;
    logs: {
      /** Tells what became of a mail. */
      get: Call<{ projectId: string; logId: string; }, { id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; explanation: { what_happened: string; what_to_do: string; }; server: string | null; tls: "implicit" | "starttls" | null; queue_id: string | null; attempts: Array<{ at: string; status: string; error: string | null; via_fallback: boolean; }>; opens: Array<{ at: string; class: string | null; user_agent: string | null; }>; clicks: Array<{ at: string; url: string; class: string | null; user_agent: string | null; }>; bounce: { at: string | null; reported_by: "smtp" | "imap" | "ingest" | null; words: string | null; } | null; complaint: { at: string; } | null; suppression: { id: string; project_id: string; email: string; reason: "hard_bounce" | "unsubscribed" | "manual"; source: string; created_at: string; last_seen_at: string; } | null; webhook_deliveries: Array<{ id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; webhook_id: string; }> | null; }>;
      /** Lists the mails of a project, the newest first. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; status?: "sent" | "failed" | "bounced" | "suppressed"; from?: string; to?: string; to_email?: string; subscriber_id?: string; template_id?: string; broadcast_id?: string; batch_id?: string; reason?: "user_unknown" | "mailbox_disabled" | "host_unknown" | "no_mx" | "mailbox_full" | "sender_rejected" | "blocked" | "policy" | "authentication" | "content" | "too_large" | "relaying_denied" | "system" | "unknown" | "rate_limited" | "greylisted" | "network" | "expired"; subject?: string; tag?: string; tag_value?: string; }, { logs: Array<{ id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; }>; total?: number; next?: string | null; }, { id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; }>;
      /** Sends a mail again that did not go out. */
      resend: Call<{ projectId: string; logId: string; body?: { subject?: string; data?: Record<string, unknown>; may_arrive_twice?: boolean; }; }, { message: "sent"; id: string; }>;
    };
    segments: {
      /** Saves a condition on subscribers under a name. */
      create: Call<{ projectId: string; body: { name: string; where: string | Record<string, unknown>; }; }, { id: string; project_id: string; name: string; where: string; condition: Record<string, unknown> | null; created_at: string; updated_at: string; }>;
      /** Deletes a segment; its subscribers stay. */
      delete: Call<{ projectId: string; segmentId: string; }, undefined>;
      /** Returns a segment. */
      get: Call<{ projectId: string; segmentId: string; }, { id: string; project_id: string; name: string; where: string; condition: Record<string, unknown> | null; created_at: string; updated_at: string; }>;
      /** Lists the segments of a project. */
      list: Call<{ projectId: string; }, { segments: Array<{ id: string; project_id: string; name: string; where: string; condition: Record<string, unknown> | null; created_at: string; updated_at: string; }>; }>;
      /** Counts the subscribers that fit a condition, and shows ten of them. */
      preview: Call<{ projectId: string; body: { where: string | Record<string, unknown>; }; }, { count: number; sample: Array<{ id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; }>; }>;
      /** Changes the name or the condition of a segment. */
      update: Call<{ projectId: string; segmentId: string; body?: { name?: string; where?: string | Record<string, unknown>; }; }, { id: string; project_id: string; name: string; where: string; condition: Record<string, unknown> | null; created_at: string; updated_at: string; }>;
    };
    /** Sends one mail. */
    send: Call<{ projectId: string; body: { to: string; subject: string; html_body: string; text_body?: string; cc?: string | Array<string>; bcc?: string | Array<string>; reply_to?: string | Array<string>; headers?: Record<string, string>; attachments?: Array<{ filename: string; content: string; content_type?: string; content_id?: string; }>; tags?: Record<string, string>; } | { to: string; template_id: string; subject?: string; data?: Record<string, unknown>; cc?: string | Array<string>; bcc?: string | Array<string>; reply_to?: string | Array<string>; headers?: Record<string, string>; attachments?: Array<{ filename: string; content: string; content_type?: string; content_id?: string; }>; tags?: Record<string, string>; } | { subscriber_id: string; template_id: string; subject?: string; data?: Record<string, unknown>; }; }, { message: "sent"; id: string; } | { sent: number; failed: number; error?: string; id: string; }>;
    /** Sends a template to many recipients, and waits for the end. */
    sendBatch: Call<{ projectId: string; body: { template_id: string; subject?: string; recipients: Array<{ to: string; data?: Record<string, unknown>; }>; }; }, { sent: number; failed: number; bounced: number; suppressed: number; failures: Array<{ to: string; status: "failed" | "bounced" | "suppressed"; error: string; }>; } | { error: string; details?: Array<{ path: string; message: string; }>; id?: string; steps?: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; alternative?: { port: number; ok: boolean; steps: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; remedy?: string; }; problems?: Array<{ code: "broken_audience" | "empty_audience" | "similar_broadcast" | "no_content" | "broken_content" | "too_large" | "invalid_link" | "no_sender" | "storage_full" | "missing_variable" | "no_unsubscribe_link" | "broken_link" | "clipped" | "sender_problem" | "daily_limit" | "storage_short" | "paused_broadcast" | "link_not_https" | "link_unclear" | "links_left_out" | "no_text_part" | "image_without_alt" | "sender_warning"; grade: "stop" | "warning" | "hint"; message: string; fix_in: "audience" | "broadcast" | "content" | "sender" | "server" | "service"; }>; } | { batch_id: string; }>;
    sending: {
      /** Checks the sender of a project in the DNS. */
      check: Call<{ projectId: string; dkim_selector?: string; }, { domain: string; envelope_domain: string; verdict: "ok" | "warning" | "problem" | "unknown"; questions: number; items: Array<{ check: "mx" | "spf" | "dmarc" | "alignment" | "dkim" | "bimi" | "mta_sts" | "tls_rpt"; domain: string; verdict: "ok" | "warning" | "problem" | "unknown" | "info"; found: Array<string>; explanation: string; record: { name: string; type: "TXT" | "MX"; value: string; } | null; }>; }>;
      /** Returns the limits of the project's mail server and their use. */
      get: Call<{ projectId: string; }, { max_connections: number; max_per_second: number | null; max_per_hour: number | null; max_per_day: number | null; max_per_domain_per_minute: number | null; used: { connections: number; last_hour: number; last_day: number; }; learned: { connections: { limit: number; at: string; why: string; } | null; per_minute: { limit: number; at: string; why: string; } | null; }; preset: { name: string; limits: { max_connections: number; max_per_second: number | null; max_per_hour: number | null; max_per_day: number | null; max_per_domain_per_minute: number | null; }; note: string | null; source: string; } | null; }>;
      /** Replaces the limits of the project's mail server. */
      save: Call<{ projectId: string; body?: { max_connections?: number; max_per_second?: number; max_per_hour?: number; max_per_day?: number; max_per_domain_per_minute?: number; }; }, { max_connections: number; max_per_second: number | null; max_per_hour: number | null; max_per_day: number | null; max_per_domain_per_minute: number | null; used: { connections: number; last_hour: number; last_day: number; }; learned: { connections: { limit: number; at: string; why: string; } | null; per_minute: { limit: number; at: string; why: string; } | null; }; preset: { name: string; limits: { max_connections: number; max_per_second: number | null; max_per_hour: number | null; max_per_day: number | null; max_per_domain_per_minute: number | null; }; note: string | null; source: string; } | null; }>;
    };
    /** Returns what became of the mails of a window, bucket by bucket. */
    series: Call<{ projectId: string; from: string; to: string; }, { from: string; to: string; granularity: "hour" | "day" | "week" | "month"; series: Array<{ bucket: string; sent: number; delivered: number; failed: number; bounced: number; opened: number; clicked: number; unsubscribed: number; }>; }>;
    smtp: {
      /** Saves the SMTP settings and the sender of a project. */
      save: Call<{ projectId: string; body: { smtp_host: string; smtp_port: number; smtp_user: string; smtp_password?: string; fallback?: { smtp_host: string; smtp_port?: number; smtp_user?: string; smtp_password?: string; }; from_name?: string; from_email?: string; location_hint?: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me"; }; }, { id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>;
      /** Sends a test mail over the stored SMTP settings, or over those in the body. */
      test: Call<{ projectId: string; server?: "first" | "fallback"; body?: { smtp_host?: string; smtp_port?: number; smtp_user?: string; smtp_password?: string; from_name?: string; from_email?: string; }; }, { message: "sent"; id: string; to: string; steps: Array<{ step: "dns" | "address" | "connect" | "tls" | "greeting" | "ehlo" | "auth" | "mail" | "capability" | "login" | "folder" | "unread"; ok: boolean; ms: number; detail?: string; remedy?: string; }>; }>;
    };
    /** Counts the mails of a project by outcome. */
    stats: Call<{ projectId: string; }, { total: number; sent: number; failed: number; opened: number; clicked: number; bounced: number; suppressed: number; }>;
    subscribers: {
      /** Sets the status, the tags or the topics of many subscribers, or deletes them. */
      changeMany: Call<{ projectId: string; body: { action: "set_status" | "delete" | "add_tags" | "remove_tags" | "set_topics"; status?: "active" | "pending" | "unsubscribed"; tags?: Array<string>; topics?: Record<string, "subscribed" | "unsubscribed">; ids?: Array<string>; filter?: { status?: "active" | "pending" | "unsubscribed"; search?: string; tag?: string; where?: string | Record<string, unknown>; all?: true; }; }; }, { changed: number; more: boolean; }>;
      /** Adds a subscriber. */
      create: Call<{ projectId: string; body: { email: string; name?: string; status?: "active" | "pending" | "unsubscribed"; metadata?: Record<string, unknown>; topics?: Array<string>; tags?: Array<string>; }; }, { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; }>;
      /** Deletes a subscriber, or erases all that is kept about the person. */
      delete: Call<{ projectId: string; subscriberId: string; erase?: "true" | "false"; }, undefined>;
      /** Returns all that a project keeps about a subscriber, in pages. */
      export: PagedCall<{ projectId: string; subscriberId: string; limit?: number; offset?: number; after?: string; }, { email: string | null; subscriber: { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; } | null; consents: { topics: Array<{ topic_id: string; name: string; state: "subscribed" | "unsubscribed" | null; since: string | null; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation" | null; }>; history: Array<{ topic_id: string | null; topic_name: string | null; action: "subscribed" | "unsubscribed" | "requested" | "confirmed"; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation"; at: string; ip_address: string; user_agent: string; form_text: string; }>; } | null; suppression: { id: string; project_id: string; email: string; reason: "hard_bounce" | "unsubscribed" | "manual"; source: string; created_at: string; last_seen_at: string; } | null; soft_bounces: { days: number; first_day: string; last_day: string; } | null; unverified_report: { kind: string; reason: string; words: string; last_seen_at: string; } | null; mails: Array<{ id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; opens: Array<{ at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; clicks: Array<{ url: string; at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; }>; next: string | null; }, { id: string; project_id: string; subscriber_id: string | null; template_id: string | null; broadcast_id: string | null; to_email: string; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; via_fallback: boolean; tags: Record<string, string>; copies: Array<{ email: string; status: string; error: string; reason?: string; }>; sent_at: string; opened_at: string | null; clicked_at: string | null; opens: Array<{ at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; clicks: Array<{ url: string; at: string; class: string | null; user_agent: string | null; ip_address: string | null; }>; }>;
      /** Returns a subscriber with the newest mails to it. */
      get: Call<{ projectId: string; subscriberId: string; }, { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; last_opened_at: string | null; last_clicked_at: string | null; recent_mails: Array<{ id: string; template_id: string | null; broadcast_id: string | null; subject: string; status: "sent" | "failed" | "bounced" | "suppressed"; error: string | null; reason: string | null; sent_at: string; opened_at: string | null; clicked_at: string | null; }>; }>;
      /** Imports subscribers and checks their addresses. */
      import: Call<{ projectId: string; body: Array<{ email: string; name?: string | null; status?: "active" | "pending" | "unsubscribed" | null; metadata?: Record<string, unknown> | null; tags?: Array<string> | null; topics?: Array<string> | null; }>; }, { imported: number; skipped: number; rejected: Array<{ row: number; line?: number; email: string; reason: "invalid_syntax" | "invalid_status" | "no_mx" | "disposable"; }>; }>;
      /** Lists the subscribers of a project. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; status?: "active" | "pending" | "unsubscribed"; search?: string; tag?: string; sort?: "-created_at" | "created_at" | "email" | "-email"; }, { subscribers: Array<{ id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; }>; total?: number; next?: string | null; }, { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; }>;
      topics: {
        /** Returns the consents of a subscriber with their history. */
        get: Call<{ projectId: string; subscriberId: string; }, { topics: Array<{ topic_id: string; name: string; state: "subscribed" | "unsubscribed" | null; since: string | null; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation" | null; }>; history: Array<{ topic_id: string | null; topic_name: string | null; action: "subscribed" | "unsubscribed" | "requested" | "confirmed"; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation"; at: string; ip_address: string; user_agent: string; form_text: string; }>; }>;
        /** Sets the consent of a subscriber to some topics. */
        save: Call<{ projectId: string; subscriberId: string; body?: Record<string, "subscribed" | "unsubscribed">; }, { topics: Array<{ topic_id: string; name: string; state: "subscribed" | "unsubscribed" | null; since: string | null; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation" | null; }>; history: Array<{ topic_id: string | null; topic_name: string | null; action: "subscribed" | "unsubscribed" | "requested" | "confirmed"; by: "member" | "api" | "import" | "join" | "waitlist" | "page" | "one_click" | "link" | "confirmation"; at: string; ip_address: string; user_agent: string; form_text: string; }>; }>;
      };
      /** Changes the email, name, status, tags or metadata of a subscriber. */
      update: Call<{ projectId: string; subscriberId: string; body?: { email?: string; name?: string; status?: "active" | "pending" | "unsubscribed"; metadata?: Record<string, unknown>; tags?: Array<string>; }; }, { id: string; project_id: string; email: string; name: string; status: "active" | "pending" | "unsubscribed"; metadata: Record<string, unknown>; tags: Array<string>; subscribed_at: string; unsubscribed_at: string | null; created_at: string; updated_at: string; }>;
    };
    suppressions: {
      /** Adds addresses to the suppression list. */
      add: Call<{ projectId: string; body: { emails: Array<string>; reason?: "hard_bounce" | "unsubscribed" | "manual"; source?: string; }; }, { added: number; skipped: number; rejected: Array<{ row: number; email: string; reason: "invalid_syntax"; }>; }>;
      /** Removes an address from the suppression list. */
      delete: Call<{ projectId: string; suppressionId: string; }, undefined>;
      /** Lists the suppressed addresses of a project. */
      list: PagedCall<{ projectId: string; limit?: number; offset?: number; after?: string; reason?: "hard_bounce" | "unsubscribed" | "manual"; email?: string; }, { suppressions: Array<{ id: string; project_id: string; email: string; reason: "hard_bounce" | "unsubscribed" | "manual"; source: string; created_at: string; last_seen_at: string; }>; total?: number; next?: string | null; }, { id: string; project_id: string; email: string; reason: "hard_bounce" | "unsubscribed" | "manual"; source: string; created_at: string; last_seen_at: string; }>;
    };
    tags: {
      /** Lists the tags of a project with the numbers of their subscribers. */
      list: Call<{ projectId: string; }, { tags: Array<{ name: string; count: number; }>; }>;
    };
    templates: {
      /** Lists the built-in templates with their sources. */
      builtIn: Call<{ projectId: string; }, { templates: Array<{ name: string; subject: string; html_body: string; text_body: string; variables: Array<{ name: string; description: string; required: boolean; }>; }>; }>;
      /** Creates a template. */
      create: Call<{ projectId: string; body: { name: string; subject?: string; html_body?: string; text_body?: string; public?: boolean; }; }, { id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }>;
      /** Deletes a template. */
      delete: Call<{ projectId: string; templateId: string; }, undefined>;
      /** Copies a template. */
      duplicate: Call<{ projectId: string; templateId: string; body?: { name?: string; }; }, { id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }>;
      /** Returns a template. */
      get: Call<{ projectId: string; templateId: string; }, { id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }>;
      /** Lists the templates of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; fields?: "summary"; }, Array<{ id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }> | Array<{ id: string; project_id: string; name: string; subject: string; public: boolean; created_at: string; updated_at: string; }>>;
      /** Renders a template and lists its problems. */
      preview: Call<{ projectId: string; body?: { subject?: string; html_body?: string; text_body?: string; data?: Record<string, unknown>; subscriber_id?: string; }; }, { subject: string | null; html_body: string | null; text_body: string | null; bytes: number | null; problems: Array<{ code: "syntax" | "render" | "unsubscribe_link" | "html" | "empty" | "unknown_variable" | "no_unsubscribe_link" | "link" | "image_without_alt" | "too_large" | "no_text_part" | "no_subject"; severity: "error" | "warning"; field: "subject" | "html_body" | "text_body"; line: number | null; column: number | null; message: string; }>; links: Array<{ url: string; tracked: boolean; line: number | null; column: number | null; }>; }>;
      /** Sends a template to up to five addresses. */
      test: Call<{ projectId: string; templateId: string; body: { to: Array<string>; subject?: string; data?: Record<string, unknown>; subscriber_id?: string; }; }, { results: Array<{ to: string; status: "sent" | "failed" | "suppressed"; error: string | null; id: string | null; }>; }>;
      /** Changes fields of a template. */
      update: Call<{ projectId: string; templateId: string; body?: { name?: string; subject?: string; html_body?: string; text_body?: string; public?: boolean; }; }, { id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }>;
      versions: {
        /** Returns an earlier version of a template. */
        get: Call<{ projectId: string; templateId: string; versionId: string; }, { id: string; template_id: string; name: string; subject: string; saved_at: string; html_body: string; text_body: string; }>;
        /** Lists the earlier versions of a template. */
        list: Call<{ projectId: string; templateId: string; limit?: number; offset?: number; }, { versions: Array<{ id: string; template_id: string; name: string; subject: string; saved_at: string; }>; }>;
        /** Restores the content of an earlier version. */
        restore: Call<{ projectId: string; templateId: string; versionId: string; }, { id: string; project_id: string; name: string; subject: string; html_body: string; text_body: string; public: boolean; created_at: string; updated_at: string; }>;
      };
    };
    topics: {
      /** Adds a topic to which subscribers can consent. */
      create: Call<{ projectId: string; body: { name: string; description?: string; }; }, { id: string; project_id: string; name: string; description: string; created_at: string; updated_at: string; }>;
      /** Deletes a topic with the consents to it. */
      delete: Call<{ projectId: string; topicId: string; }, undefined>;
      /** Returns a topic. */
      get: Call<{ projectId: string; topicId: string; }, { id: string; project_id: string; name: string; description: string; created_at: string; updated_at: string; }>;
      /** Lists the topics of a project. */
      list: Call<{ projectId: string; }, { topics: Array<{ id: string; project_id: string; name: string; description: string; created_at: string; updated_at: string; }>; }>;
      /** Changes the name or the description of a topic. */
      update: Call<{ projectId: string; topicId: string; body?: { name?: string; description?: string; }; }, { id: string; project_id: string; name: string; description: string; created_at: string; updated_at: string; }>;
    };
    /** Changes the name or the description of a project. */
    update: Call<{ projectId: string; body?: { name?: string; description?: string; }; }, { id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>;
    waitlist: {
      /** Adds an address to the waitlist, also from a web page. */
      join: Call<{ projectId: string; body: { email: string; template_id?: string; topics?: Array<string>; }; }, { message: "added to waitlist"; }>;
    };
    webhooks: {
      /** Creates a webhook; this answer alone shows its secret. */
      create: Call<{ projectId: string; body: { url: string; events?: Array<"email.sent" | "email.failed" | "email.opened" | "email.clicked" | "subscriber.created" | "subscriber.unsubscribed" | "email.bounced" | "email.complained" | "subscriber.confirmed" | "subscriber.updated" | "broadcast.started" | "broadcast.finished" | "broadcast.paused"> | null; }; }, { id: string; url: string; secret: string; events: Array<string>; active: boolean; created_at: string; }>;
      /** Deletes a webhook. */
      delete: Call<{ projectId: string; webhookId: string; }, undefined>;
      deliveries: {
        /** Returns a delivery with its payload and the answer to it. */
        get: Call<{ projectId: string; webhookId: string; deliveryId: string; }, { id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; payload: Record<string, unknown>; answer: { body: string; is_complete: boolean; } | null; }>;
        /** Lists the deliveries of a webhook. */
        list: PagedCall<{ projectId: string; webhookId: string; limit?: number; offset?: number; after?: string; fields?: "full"; }, { deliveries: Array<{ id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; payload?: Record<string, unknown>; answer?: { body: string; is_complete: boolean; } | null; }>; total?: number; next?: string | null; }, { id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; payload?: Record<string, unknown>; answer?: { body: string; is_complete: boolean; } | null; }>;
        /** Delivers an event of a webhook again. */
        replay: Call<{ projectId: string; webhookId: string; deliveryId: string; }, { id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; }>;
      };
      /** Returns a webhook. */
      get: Call<{ projectId: string; webhookId: string; }, { id: string; url: string; secret: string; events: Array<string>; active: boolean; created_at: string; }>;
      /** Lists the webhooks of a project. */
      list: Call<{ projectId: string; limit?: number; offset?: number; }, { webhooks: Array<{ id: string; url: string; secret: string; events: Array<string>; active: boolean; created_at: string; }>; }>;
      /** Delivers a test event to a webhook. */
      test: Call<{ projectId: string; webhookId: string; }, { id: string; event_type: string; status: "pending" | "inflight" | "delivered" | "failed"; attempts: number; last_status_code?: number; last_error?: string; next_attempt_at?: string; delivered_at?: string; created_at: string; }>;
      /** Pauses or resumes a webhook. */
      update: Call<{ projectId: string; webhookId: string; body?: { active?: boolean; url?: string; events?: Array<"email.sent" | "email.failed" | "email.opened" | "email.clicked" | "subscriber.created" | "subscriber.unsubscribed" | "email.bounced" | "email.complained" | "subscriber.confirmed" | "subscriber.updated" | "broadcast.started" | "broadcast.finished" | "broadcast.paused">; }; }, { id: string; url: string; secret: string; events: Array<string>; active: boolean; created_at: string; }>;
    };
  };
  service: {
    deadLetters: {
      /** Lists the messages that no consumer could handle. */
      list: PagedCall<{ limit?: number; offset?: number; after?: string; }, { dead_letters: Array<{ id: string; queue: string; type: string; bytes: number; preview: string | null; failed_at: string; replayed_at: string | null; expires_at: string; }>; total?: number; next?: string | null; waiting: number; }, { id: string; queue: string; type: string; bytes: number; preview: string | null; failed_at: string; replayed_at: string | null; expires_at: string; }>;
      /** Puts such a message into its queue again. */
      replay: Call<{ letterId: string; }, { id: string; queue: string; type: string; bytes: number; preview: string | null; failed_at: string; replayed_at: string | null; expires_at: string; }>;
    };
    /** Tells whether the service and its database work. */
    health: Call<{}, { status: "ok"; dead_letters: number; storage: { level: string; used_pct: number | null; log_retention_days: number; }; }>;
    mail: {
      /** Chooses the project that sends the mails of the service. */
      choose: Call<{ body?: { project_id?: string; }; }, { project_id: string | null; ready: boolean; }>;
      /** Returns the project that sends the mails of the service. */
      get: Call<{}, { project_id: string | null; ready: boolean; }>;
    };
    /** Returns this document. */
    openapi: Call<{}, Record<string, unknown>>;
    /** Returns the version of the service. */
    version: Call<{}, { name: string; version: string; deployment_mode: "self_hosted" | "cloud"; enabled: boolean; }>;
  };
  workspaces: {
    auditLog: {
      /** Lists the audit entries of a workspace. */
      list: PagedCall<{ workspaceId: string; limit?: number; offset?: number; after?: string; action?: string; from?: string; to?: string; }, { entries: Array<{ id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>; total?: number; next?: string | null; }, { id: string; user_id: string | null; user_name: string | null; user_email: string | null; action: string; target_type: string; target_id: string; metadata: Record<string, unknown>; ip_address: string; user_agent: string; created_at: string; }>;
    };
    /** Creates a workspace. */
    create: Call<{ body: { name: string; }; }, { id: string; name: string; created_by: string; created_at: string; updated_at: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; }>;
    /** Deletes a workspace without projects. */
    delete: Call<{ workspaceId: string; }, undefined>;
    invitations: {
      /** Invites a person into a workspace by mail. */
      create: Call<{ workspaceId: string; body: { email: string; role?: "owner" | "admin" | "developer" | "member" | "viewer"; }; }, { id: string; email: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; invited_by: string; created_at: string; expires_at: string; }>;
      /** Lists the open invitations of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, { invitations: Array<{ id: string; email: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; invited_by: string; created_at: string; expires_at: string; }>; }>;
      /** Mails an invitation again. */
      resend: Call<{ workspaceId: string; invitationId: string; }, { id: string; email: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; invited_by: string; created_at: string; expires_at: string; }>;
      /** Withdraws an invitation. */
      withdraw: Call<{ workspaceId: string; invitationId: string; }, undefined>;
    };
    /** Lists the workspaces of the person. */
    list: Call<{ limit?: number; offset?: number; }, { workspaces: Array<{ id: string; name: string; created_by: string; created_at: string; updated_at: string; }>; }>;
    members: {
      /** Adds a person with an account to a workspace. */
      add: Call<{ workspaceId: string; body: { email: string; role?: "owner" | "admin" | "developer" | "member" | "viewer"; }; }, { user_id: string; email: string; name: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; joined_at: string; }>;
      /** Lists the members of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, { members: Array<{ user_id: string; email: string; name: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; joined_at: string; }>; }>;
      /** Removes a member from a workspace. */
      remove: Call<{ workspaceId: string; userId: string; }, undefined>;
      /** Changes the role of a member. */
      setRole: Call<{ workspaceId: string; userId: string; body: { role: "owner" | "admin" | "developer" | "member" | "viewer"; }; }, undefined>;
    };
    projects: {
      /** Lists the projects of a workspace. */
      list: Call<{ workspaceId: string; limit?: number; offset?: number; }, Array<{ id: string; workspace_id: string; name: string; description: string; from_name: string | null; from_email: string | null; smtp_host: string | null; smtp_port: number | null; smtp_user: string | null; fallback: { smtp_host: string; smtp_port: number; smtp_user: string; } | null; location_hint: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "oc" | "afr" | "me" | null; created_at: string; updated_at: string; }>>;
    };
    /** Renames a workspace. */
    rename: Call<{ workspaceId: string; body: { name: string; }; }, { id: string; name: string; created_by: string; created_at: string; updated_at: string; }>;
    users: {
      /** Creates an account and adds its person to a workspace. */
      create: Call<{ workspaceId: string; body: { email: string; name: string; password: string; role?: "owner" | "admin" | "developer" | "member" | "viewer"; }; }, { user_id: string; email: string; name: string; role: "owner" | "admin" | "developer" | "member" | "viewer"; }>;
    };
  };
}
