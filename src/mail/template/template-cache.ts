import { compileTemplate } from "./compile-template.ts";
import type { TemplateOptions } from "./compile-template.ts";
import type { CompiledTemplate } from "./engine.ts";

/** Cache of compiled templates, bounded by the total length of their sources. */
export interface TemplateCache {
  /**
   * Returns the template of `key`, compiled from `source` unless cached. The key must change with
   * the source and the options (`projectId:templateId:updatedAt:field`). Throws
   * TemplateSyntaxError; failures are not cached.
   */
  get(key: string, source: string, options: TemplateOptions): CompiledTemplate;
}

/**
 * Maximum cached source in characters. A compiled template takes 40 (typical mail) to 160 bytes
 * (only tags) per character, and an isolate has 128 MB.
 */
const MAX_CACHED_CHARS = 512 * 1024;

/** Characters that a short template counts as, for its fixed cost. */
const LEAST_CHARS = 1024;

interface Entry {
  template: CompiledTemplate;
  chars: number;
}

/** Creates a cache that drops the least recently used templates. */
export function createTemplateCache(): TemplateCache {
  // A Map keeps insertion order: each use moves an entry to the end.
  const entries = new Map<string, Entry>();
  let totalChars = 0;

  return {
    get(key, source, options) {
      const kept = entries.get(key);
      const { template, chars } = kept ?? {
        template: compileTemplate(source, options),
        chars: Math.max(LEAST_CHARS, source.length),
      };
      if (!entries.delete(key)) totalChars += chars;
      entries.set(key, { template, chars });
      for (const [oldest, entry] of entries) {
        if (totalChars <= MAX_CACHED_CHARS) break;
        entries.delete(oldest);
        totalChars -= entry.chars;
      }
      return template;
    },
  };
}
