/** Reads a list of scopes as the wire has it: separated by spaces (RFC 6749 §3.3). */
export function parseScope(text: string): readonly string[] {
  return text.split(' ').filter((scope) => scope !== '');
}

/** Writes a list of scopes as the wire has it. */
export function formatScope(scopes: readonly string[]): string {
  return scopes.join(' ');
}

/** Puts lists of scopes together, each scope once and in the order in which it comes first. */
export function uniteScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** Tells whether a text can be a scope (RFC 6749 §3.3, `scope-token`). */
export function isScope(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}
