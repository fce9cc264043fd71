import type { GivenHeaders } from './parse-header.js';

/** Creates a `fetch` that adds headers, except those that a request already has: a token overrides an `Authorization`. */
export function createHeaderFetch(send: typeof fetch, given: GivenHeaders): typeof fetch {
  const entries = Object.entries(given);
  if (entries.length === 0) return send;
  return async (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    for (const [name, value] of entries) if (!headers.has(name)) headers.set(name, value);
    return send(input, { ...init, headers });
  };
}
