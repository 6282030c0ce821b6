import type { ProjectRow } from "../access/index.ts";

/**
 * Returns the settings of a project for its export, without passwords, tokens and keys, even
 * encrypted ones.
 */
export function settingsOf(project: ProjectRow) {
  const { ingest: _, ...bounces } = project.bounceSettings ?? {};
  const { turnstileSecretSealed: _secret, ...audience } = project.audienceSettings ?? {};
  return {
    name: project.name,
    description: project.description,
    from_name: project.fromName,
    from_email: project.fromEmail,
    smtp_host: project.smtpHost,
    smtp_port: project.smtpPort,
    smtp_user: project.smtpUser,
    fallback_host: project.fallbackHost,
    fallback_port: project.fallbackPort,
    fallback_user: project.fallbackUser,
    location_hint: project.locationHint,
    sending_limits: project.sendingLimits,
    bounce_settings: bounces,
    audience_settings: audience,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  };
}
