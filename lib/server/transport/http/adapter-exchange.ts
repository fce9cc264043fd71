import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChallengeableResponse } from '../../auth/auth-refusal.js';
import type { AuthenticatedRequest } from '../../auth/mcp-auth.guard.js';

/** The request object of an adapter, or Node's own. */
export interface AdapterRequest extends AuthenticatedRequest {
  readonly raw?: IncomingMessage;
}

/** The response object of an adapter, or Node's own. */
export interface AdapterResponse extends ChallengeableResponse {
  readonly raw?: ServerResponse;
  /** Fastify: tells the adapter that somebody else answers. */
  hijack?(): void;
  /** Fastify: the headers that plugins have set so far. */
  getHeaders?(): Record<string, number | string | string[] | undefined>;
}

/** Returns Node's response; what an adapter's plugins put on their own is carried over. */
export function takeOver(response: AdapterResponse): ServerResponse {
  if (response.raw === undefined) return response as ServerResponse;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders?.() ?? {})) {
    if (value !== undefined && !raw.headersSent) raw.setHeader(name, value);
  }
  return raw;
}
