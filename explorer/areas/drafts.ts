import type { Json } from '../forms/json-schema.js';

const PREFIX = 'nestjs-mcp explorer draft ';

/** The input for a tool, which survives a login. Only this tab keeps it. */
export const Drafts = {
  read(name: string): Json | undefined {
    try {
      const kept = sessionStorage.getItem(PREFIX + location.pathname + name);
      return kept === null ? undefined : (JSON.parse(kept) as Json);
    } catch {
      return undefined;
    }
  },

  write(name: string, value: Json | undefined): void {
    const key = PREFIX + location.pathname + name;
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  },
};
