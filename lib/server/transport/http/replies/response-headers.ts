import type { JsonRpcErrorObject } from '../../../../core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import type { ServerResponse } from 'node:http';
import { findRateLimit } from '../../../../core/protocol/rate-limited.error.js';

/** A response message, with its header values. */
export interface ResponseMessage extends OutboundMessage {
  readonly wwwAuthenticate?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The error, if it is one. */
  readonly error?: JsonRpcErrorObject;
}

/** Methods with cacheable responses (RFC 9110 §9.3.1, §9.3.2). */
const CACHEABLE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/**
 * Prevents a refusal from being cached. Another caller may receive a stream or a page at the same URL.
 *
 * @see RFC 9111 §4.2.2, which lets a cache keep a 404 or a 405 without instructions
 */
export function preventCaching(
  response: Pick<ServerResponse, 'getHeader' | 'setHeader'>,
  method: string | undefined,
): void {
  if (!CACHEABLE.has(method)) return;
  response.setHeader('Cache-Control', 'no-store');
  varyBy(response, 'Accept');
}

/** Adds a request header to `Vary` (RFC 9110 §12.5.5). */
export function varyBy(response: Pick<ServerResponse, 'getHeader' | 'setHeader'>, header: string): void {
  const present = response.getHeader('Vary');
  const values = present === undefined ? [] : [present].flat().map(String);
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase());
  if (names.includes('*') || names.includes(header.toLowerCase())) return;
  response.setHeader('Vary', [...values, header].join(', '));
}

/** The default retry delay after a limit (RFC 9110 §10.2.3). */
const RETRY_AFTER_SECONDS = 5;

/** Writes retry and rate limit headers (SEP-3304). */
export function writeLimitHeaders(
  response: Pick<ServerResponse, 'hasHeader' | 'setHeader'>,
  status: number,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, error }: ResponseMessage,
): void {
  if (status !== 503 && status !== 429) return;
  if (!response.hasHeader('Retry-After')) response.setHeader('Retry-After', retryAfterSeconds);
  const { limit, remaining } = findRateLimit(error) ?? {};
  if (limit !== undefined) response.setHeader('RateLimit-Limit', limit);
  if (remaining !== undefined) response.setHeader('RateLimit-Remaining', remaining);
}
