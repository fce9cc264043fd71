import type { ServerResponse } from 'node:http';
import { findRateLimit } from '../../../../core/protocol/rate-limited.error.js';
import type { AnswerMessage } from './answer-message.interface.js';

/** When a client that met a limit may try again, if nothing else is said (RFC 9110 §10.2.3). */
const RETRY_AFTER_SECONDS = 5;

/** Writes headers that say when a client may try again, with the other facts of a limit (SEP-3304). */
export function tellLimit(
  response: Pick<ServerResponse, 'hasHeader' | 'setHeader'>,
  status: number,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, error }: AnswerMessage,
): void {
  if (status !== 503 && status !== 429) return;
  if (!response.hasHeader('Retry-After')) response.setHeader('Retry-After', retryAfterSeconds);
  const { limit, remaining } = findRateLimit(error) ?? {};
  if (limit !== undefined) response.setHeader('RateLimit-Limit', limit);
  if (remaining !== undefined) response.setHeader('RateLimit-Remaining', remaining);
}
