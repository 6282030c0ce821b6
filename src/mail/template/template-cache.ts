import { compileTemplate } from "./compile-template.ts";
import type { TemplateOptions } from "./compile-template.ts";
import type { CompiledTemplate } from "./engine.ts";

/** Cache of compiled templates, bounded by their number and the total length of their sources. */
export interface TemplateCache {
  /**
   * Returns the template of `key`, compiled from `source` unless cached. The key must change with
   * the source (`projectId:templateId:updatedAt:field`). Throws TemplateSyntaxError; failures are
   * not cached.
   */
  get(key: string, source: string, options: TemplateOptions): CompiledTemplate;
}

/**
 * Maximum cached source in characters. Measured: a compiled template takes 40 (typical mail) to 160
 * bytes (only tags) per character, and an isolate has 128 MB.
 */
const MAX_CACHED_SOURCE_CHARS = 512 * 1024;

interface Entry {
  template: CompiledTemplate;
  sourceChars: number;
}

/** Creates an LRU cache of `maxEntries` compiled templates. */
export function createTemplateCache(maxEntries: number): TemplateCache {
  // A Map keeps insertion order: each use moves an entry to the end, so the first is the least
  // recently used.
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
