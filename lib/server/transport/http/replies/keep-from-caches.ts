import type { ServerResponse } from 'node:http';
import { varyBy } from './vary-by.js';

/** What a cache may keep and give to others (RFC 9110 §9.3.1, §9.3.2). */
const CACHEABLE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/**
 * Keeps a refusal out of caches. Another caller may get a stream or a page at the same address.
 *
 * @see RFC 9111 §4.2.2, which lets a cache keep a 404 or a 405 without instructions
 */
export function keepFromCaches(
  response: Pick<ServerResponse, 'getHeader' | 'setHeader'>,
  method: string | undefined,
): void {
  if (!CACHEABLE.has(method)) return;
  response.setHeader('Cache-Control', 'no-store');
  varyBy(response, 'Accept');
}
