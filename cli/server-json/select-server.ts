import { quoteAll } from '../../lib/core/words/words.js';
import { UsageError } from '../usage.error.js';

/**
 * Selects one of an application's servers.
 *
 * @throws {UsageError} if there is no server, no server has the key, or there are several servers and no key
 */
export function selectServer<Server extends { readonly server: string }>(
  servers: readonly Server[],
  key: string | undefined,
): Server {
  const [only, ...others] = servers;
  if (only === undefined)
    throw new UsageError('The application has no server, because it does not import "McpModule"');
  if (key === undefined && others.length === 0) return only;
  const named = servers.find(({ server }) => server === key);
  if (named !== undefined) return named;
  const known = quoteAll(servers.map(({ server }) => server));
  throw new UsageError(`The application has the servers ${known}: select one with "--server"`);
}
