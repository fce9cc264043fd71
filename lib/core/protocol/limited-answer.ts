import { parseRetryAfter } from './headers/retry-after.js';
import { findRateLimit, type RateLimit } from './rate-limited.error.js';

/** The limit of a body that is read for rate limit information. */
const LONGEST_BODY_BYTES = 65_536;

/** The time limit for reading it. */
const LONGEST_MS = 5000;

/** A server responded with 429, and any body or none. */
export class RateLimitedResponseError extends Error {
  override readonly name = 'LimitedAnswerError';
  readonly status = 429;

  constructor(readonly rateLimit: RateLimit | undefined) {
    super('The server responded with status 429: it limits requests');
  }
}

/** Reads a response with status 429. Its JSON-RPC error takes precedence over `Retry-After` (SEP-3304, RL-9). */
export async function readRateLimitedResponse(response: Response): Promise<RateLimitedResponseError> {
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after') ?? undefined, Date.now());
  const rateLimit =
    parseBody(await readBody(response)) ?? (retryAfterMs === undefined ? undefined : { retryAfterMs });
  return new RateLimitedResponseError(rateLimit);
}

/** Reads a body up to the limits: a cut body is not JSON. */
async function readBody({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  const clock = setTimeout(giveUp, LONGEST_MS);
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > LONGEST_BODY_BYTES) break;
      text += decoder.decode(part.value, { stream: true });
    }
  } catch {
    return '';
  } finally {
    clearTimeout(clock);
    giveUp();
  }
  return length > LONGEST_BODY_BYTES ? '' : text;
}

function parseBody(text: string): RateLimit | undefined {
  try {
    return findRateLimit((JSON.parse(text) as { readonly error?: unknown } | null)?.error);
  } catch {
    return undefined;
  }
}

/** Errors are nested only a few levels deep. */
const DEEPEST = 5;

/** Finds the limit that a request exceeded, in an error or its cause. Returns `undefined` for other errors. */
export function findServerLimit(error: unknown): RateLimit | undefined {
  let one: unknown = error;
  for (let depth = 0; depth < DEEPEST && typeof one === 'object' && one !== null; depth += 1) {
    if (one instanceof RateLimitedResponseError) return one.rateLimit ?? { retryAfterMs: 0 };
    const found = findRateLimit(one);
    if (found !== undefined) return found;
    one = 'cause' in one ? one.cause : undefined;
  }
  return undefined;
}
