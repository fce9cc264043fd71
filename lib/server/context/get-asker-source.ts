import type { AskerSource } from './asker-source.interface.js';
import type { RequestParts } from './request-parts.interface.js';

/**
 * Returns what lets a request ask its client.
 *
 * @throws {TypeError} if it has none
 */
export function getAskerSource({ askers }: Pick<RequestParts, 'askers'>): AskerSource {
  if (askers !== undefined) return askers;
  throw new TypeError('This context has no client to ask');
}
