import type { WebhookSettings } from './webhook-settings.js';

/** How long to wait between attempts. */
export type RetryPolicy = Pick<WebhookSettings, 'backoffMs' | 'maximumBackoffMs'>;

/** An attempt that failed. */
export interface FailedAttempt {
  /** How many attempts there were, this one included. */
  readonly attempt: number;
  /** Milliseconds that the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Says how many milliseconds to wait before the next attempt: twice as long each time, less by chance, so that receivers that failed
 * together are not asked together again.
 */
export function computeRetryDelay({ attempt, retryAfterMs = 0 }: FailedAttempt, policy: RetryPolicy): number {
  const { backoffMs, maximumBackoffMs } = policy;
  const longest = Math.min(backoffMs * 2 ** (attempt - 1), maximumBackoffMs);
  const jittered = longest * (1 - Math.random() / 2);
  return Math.min(Math.max(jittered, retryAfterMs), maximumBackoffMs);
}

/**
 * Parses `Retry-After`, in either of its forms, to milliseconds from now; nothing where it says nothing.
 *
 * @see RFC 9110 §10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
