import type { Authentication } from '../context/authentication.js';
import type { RequestSpan } from '../telemetry/request-tracing.js';

/** Records a validated token's caller on a span. */
export function recordCaller(span: RequestSpan, { claims }: Authentication, isCached: boolean): void {
  if (claims.sub !== undefined) span.set('mcp.auth.subject', claims.sub);
  if (claims.iss !== undefined) span.set('mcp.auth.issuer', claims.iss);
  span.set('mcp.auth.scopes', claims.scopes.join(','));
  span.set('mcp.auth.cache_hit', String(isCached));
}

/** Node's response, whose end can be awaited. */
export interface ClosingResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly closed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Ends a request span when its response is closed, with the status if one was sent. The guard itself sees only the
 * start of a request.
 */
export function endSpanOnClose(span: RequestSpan, response: ClosingResponse): void {
  if (response.closed === true) return span.end();
  response.once('close', () => {
    if (response.headersSent) span.set('http.response.status_code', response.statusCode);
    span.end();
  });
}
