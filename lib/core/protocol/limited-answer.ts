import { parseRetryAfter } from './headers/retry-after.js';
import { findRateLimit, type RateLimit } from './rate-limited.error.js';

/** Longer bodies are not read for what they say of a limit. */
const LONGEST_BODY_BYTES = 65_536;

/** Neither are those that take longer. */
const LONGEST_MS = 5000;

/** A server answers with 429, and with any text or none. */
export class LimitedAnswerError extends Error {
  override readonly name = 'LimitedAnswerError';
  readonly status = 429;

  constructor(readonly rateLimit: RateLimit | undefined) {
    super('The server answered with status 429: it limits requests');
  }
}

/** Reads an answer with status 429: what its JSON-RPC error says goes before `Retry-After` (SEP-3304, RL-9). */
export async function readLimitedAnswer(response: Response): Promise<LimitedAnswerError> {
  const told = parseRetryAfter(response.headers.get('retry-after') ?? undefined, Date.now());
  const rateLimit =
    parseBody(await readBody(response)) ?? (told === undefined ? undefined : { retryAfterMs: told });
  return new LimitedAnswerError(rateLimit);
}

/** Returns as much as may be read of a body: what is cut is no JSON. */
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

/** Errors are wrapped a few times at most. */
const DEEPEST = 5;

/** Finds the limit that a request met, in an error or its cause. Returns `undefined` if it met none. */
export function findServerLimit(error: unknown): RateLimit | undefined {
  let one: unknown = error;
  for (let depth = 0; depth < DEEPEST && typeof one === 'object' && one !== null; depth += 1) {
    if (one instanceof LimitedAnswerError) return one.rateLimit ?? { retryAfterMs: 0 };
    const found = findRateLimit(one);
    if (found !== undefined) return found;
    one = 'cause' in one ? one.cause : undefined;
  }
  return undefined;
}
