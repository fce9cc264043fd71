import { hash } from 'node:crypto';
import { DocumentError } from '../../keys/document.error.js';

/** The number of different tokens refused in a row after which an endpoint counts as refusing all. */
const SEVERAL = 3;

/** How long an endpoint that answered does not count as one that refuses all: anybody may invent different tokens. */
const TRUSTED_MS = 60_000;

/** Statuses of refusals that are about who asks, and how often. */
const OF_ALL: ReadonlySet<number> = new Set([401, 429]);

/**
 * Tells refusals of single tokens from those of an endpoint that refuses all. Anybody may send a token that the
 * endpoint, or a firewall before it, refuses. This must not cost others their answers.
 */
export class RefusedQuestions {
  /** Digests of tokens that were refused since the last answer. */
  readonly #tokens = new Set<string>();
  #answeredAt = -Infinity;
  #answers = 0;

  /** Notes that the endpoint has answered. */
  heedAnswer(): void {
    this.#tokens.clear();
    this.#answeredAt = performance.now();
    this.#answers += 1;
  }

  /** How often the endpoint has answered. */
  get answers(): number {
    return this.#answers;
  }

  /** Notes that the question about a token was refused, and tells whether that is for the token. */
  isOfToken(token: string): boolean {
    if (this.#tokens.size < SEVERAL) this.#tokens.add(hash('sha256', token, 'base64'));
    return this.#tokens.size < SEVERAL || performance.now() - this.#answeredAt < TRUSTED_MS;
  }
}

/**
 * Tells whether the token may be the reason why a question failed. With a status of success, an answer that does not say
 * what was asked may be the page of a firewall.
 */
export function isRefusal(failure: unknown): failure is DocumentError {
  if (!(failure instanceof DocumentError)) return false;
  const { status = 0 } = failure;
  const isNone = status >= 200 && status < 300;
  return isNone || (status >= 400 && status < 500 && !OF_ALL.has(status));
}

/** Tells whether the endpoint has answered, but not the question. The token may be the reason. */
export function hasStatus(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status !== undefined;
}

/** Tells whether the credentials of this server are refused, which no token changes. */
export function isOfClient(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 401;
}

/** Tells whether the endpoint wants fewer questions. */
export function isLimit(failure: unknown): boolean {
  return failure instanceof DocumentError && failure.status === 429;
}
