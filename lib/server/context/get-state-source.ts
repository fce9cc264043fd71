import type { RequestParts } from './request-parts.interface.js';
import type { StateSource } from './state-source.interface.js';

/**
 * Returns what keeps state for a request.
 *
 * @throws {TypeError} if nothing does
 */
export function getStateSource({ states }: Pick<RequestParts, 'states'>): StateSource {
  if (states !== undefined) return states;
  throw new TypeError('Nothing keeps state for this context');
}
