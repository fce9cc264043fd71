import { DEFAULT_SERVER, type ServerIdentity } from '../../settings/mcp.constants.js';
import { CatalogError } from '../catalog.error.js';

/**
 * Selects the default server of an application: the marked one, else the one of the key `default`, else the only one.
 *
 * @throws {CatalogError} when several are marked
 */
export function selectDefaultServer(identities: readonly ServerIdentity[]): string | undefined {
  const marked = identities.filter(({ isDefault }) => isDefault);
  if (marked.length > 1) throw CatalogError.severalDefaultServers(marked.map(({ server }) => server));
  const [only] = identities.length === 1 ? identities : marked;
  const byKey = identities.find(({ server }) => server === DEFAULT_SERVER);
  return (only ?? byKey)?.server;
}
