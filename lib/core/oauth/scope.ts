/** Parses a space-separated list of scopes (RFC 6749 §3.3). */
export function parseScope(text: string): readonly string[] {
  return text.split(' ').filter((scope) => scope !== '');
}

/** Formats a space-separated list of scopes. */
export function formatScope(scopes: readonly string[]): string {
  return scopes.join(' ');
}

/** Merges lists of scopes, without duplicates and in order of first appearance. */
export function mergeScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** Returns whether a value can be a scope (RFC 6749 §3.3, `scope-token`). */
export function isScope(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}
