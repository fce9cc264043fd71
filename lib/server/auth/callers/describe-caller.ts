import type { Authentication } from '../../context/authentication.interface.js';
import type { RequestSpan } from '../../telemetry/request-span.interface.js';

/** Records the caller of a validated token on a span. */
export function describeCaller(span: RequestSpan, { claims }: Authentication, isCached: boolean): void {
  if (claims.sub !== undefined) span.set('mcp.auth.subject', claims.sub);
  if (claims.iss !== undefined) span.set('mcp.auth.issuer', claims.iss);
  span.set('mcp.auth.scopes', claims.scopes.join(','));
  span.set('mcp.auth.cache_hit', String(isCached));
}
