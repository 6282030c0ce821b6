import { compileTemplate } from "./compile-template.ts";
import type { TemplateOptions } from "./compile-template.ts";
import type { CompiledTemplate } from "./engine.ts";

/** Cache of compiled templates, bounded by their number and the length of their sources. */
export interface TemplateCache {
  /**
   * Returns the template of `key`, compiled from `source` unless cached. The key must change with
   * the source (`projectId:templateId:updatedAt:field`). Throws TemplateSyntaxError; the cache keeps
   * no failures.
   */
  get(key: string, source: string, options: TemplateOptions): CompiledTemplate;
}

/**
 * Most cached source in characters. Measured: a compiled template takes 40 (ordinary mail) to 160
 * bytes (tags only) per character, and an isolate has 128 MB.
 */
const MAX_CACHED_SOURCE_CHARS = 512 * 1024;

interface Entry {
  template: CompiledTemplate;
  sourceChars: number;
}

/** Creates a cache of `maxEntries` compiled templates that drops the least recently used. */
export function createTemplateCache(maxEntries: number): TemplateCache {
  // A Map keeps insertion order: each use moves an entry to the end, and the first is the oldest.
  const entries = new Map<string, Entry>();
  let totalChars = 0;

  function remove(key: string): void {
    totalChars -= entries.get(key)?.sourceChars ?? 0;
    entries.delete(key);
  }

  function add(key: string, entry: Entry): void {
    entries.set(key, entry);
    totalChars += entry.sourceChars;
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && totalChars <= MAX_CACHED_SOURCE_CHARS) return;
      remove(oldest);
    }
  }

  return {
    get(key, source, options) {
      const fullKey = `${options.escape ? "escaped" : "plain"}:${key}`;
      const kept = entries.get(fullKey);
      remove(fullKey);
      const entry = kept ?? {
        template: compileTemplate(source, options),
        sourceChars: source.length,
      };
      add(fullKey, entry);
      return entry.template;
    },
  };
}
