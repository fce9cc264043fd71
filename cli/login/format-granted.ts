import type { StoredCredentials } from '../../lib/client/authorization/index.js';
import { OFFLINE_ACCESS } from '../../lib/client/authorization/login/select-scopes.js';
import { formatScope } from '../../lib/core/oauth/scope.js';
import { makeLine, quoteVisible } from '../visible-text.js';

/** Says which scopes a login brought, and which of those that it asked for it did not; nothing if it has no scopes. */
export function formatGranted(tokens: StoredCredentials['tokens']): string {
  const { grantedScopes = [], requestedScopes = [] } = tokens ?? {};
  const allowed = grantedScopes.length === 0 ? '' : ` for ${makeLine(formatScope(grantedScopes))}`;
  const withheld = requestedScopes.filter(
    (scope) => scope !== OFFLINE_ACCESS && !grantedScopes.includes(scope),
  );
  if (withheld.length === 0) return allowed;
  const named = withheld.map((scope) => quoteVisible(scope)).join(', ');
  return `${allowed}; ${named} ${withheld.length === 1 ? 'was' : 'were'} asked for and not granted`;
}
