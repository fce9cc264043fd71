import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';

/** What to do if a server wants to ask, and was told that nobody can be asked. */
export const HOW_TO_BE_ASKED = 'run it at a terminal, or with "--interactive"';

/** How servers say it in texts, which is all that there is in a session. */
const LACK = /\bclient\b.{0,40}\b(?:did not declare|does not support)\b.{0,60}\belicitation\b/is;

/** Is thrown if a server refuses a call because nobody can be asked. */
export class UnaskedError extends Error {
  override readonly name = 'UnaskedError';
  readonly code: unknown;

  constructor(cause: Error) {
    super(`${makeLine(cause.message)}: ${HOW_TO_BE_ASKED}`, { cause });
    this.code = (cause as { readonly code?: unknown }).code;
  }
}

/** Tells whether a server refuses a call because the client did not declare that it can be asked. */
export function isUnasked(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, data } = error as { readonly code?: unknown; readonly data?: unknown };
  if (typeof code !== 'number') return false;
  const required = isObject(data) ? data['requiredCapabilities'] : undefined;
  return saysUnasked(error.message) || (isObject(required) && 'elicitation' in required);
}

/** Tells whether a text of a server says that the client did not declare that it can be asked. */
export function saysUnasked(text: string): boolean {
  return LACK.test(text);
}
