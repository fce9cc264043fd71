import { hash } from 'node:crypto';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type { WantedToken } from '../../context/exchange.interface.js';
import { UnexchangeableTokenError } from './unexchangeable-token.error.js';

/** Between two warnings of the same refusal. */
const PAUSE_MS = 10_000;

/** Refusals of one status and code that are told apart: a caller may choose the audience, and texts may have numbers in them. */
const MOST_OF_A_KIND = 16;

/** Refusals that are told apart in all. */
const MOST = 256;

/** What is compared of a text. */
const LONGEST = 1000;

/** What differs in each description though the fault is the same: ids, times and counts. */
const VARYING =
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b(?=\w*\d)\w{16,}\b|\b\d+\b/gi;

/** A refusal, as those are told apart that are warned of each. */
interface RefusalName {
  /** The status and code. */
  readonly kind: string;
  /** What the authorization server says, and what was asked for; of any length. */
  readonly detail: string;
}

/** Knows which refusals the log has had lately, so that an outage that lasts does not fill it with a line for each call. */
export class RefusalPauses {
  /** When each was warned of, the longest ago first. */
  readonly #warnedAt = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Tells whether a refusal is to be warned of, and takes note that it is. */
  take(error: unknown, wanted: WantedToken): boolean {
    const now = performance.now();
    this.#forget(now);
    const { kind, detail } = nameRefusal(error, wanted);
    const id = hash('sha256', kind, 'base64');
    const count = this.#kinds.get(id) ?? 0;
    // Beyond these, all refusals of a kind are one.
    const isCrowded = count >= MOST_OF_A_KIND;
    const key = isCrowded ? id : `${id} ${hash('sha256', detail, 'base64')}`;
    if (this.#warnedAt.has(key) || this.#warnedAt.size >= MOST) return false;
    this.#warnedAt.set(key, now);
    this.#kinds.set(id, count + 1);
    return true;
  }

  #forget(now: number): void {
    for (const [key, warnedAt] of this.#warnedAt) {
      if (now - warnedAt < PAUSE_MS) return;
      this.#warnedAt.delete(key);
      const [id = ''] = key.split(' ');
      const left = (this.#kinds.get(id) ?? 1) - 1;
      if (left === 0) this.#kinds.delete(id);
      else this.#kinds.set(id, left);
    }
  }
}

function nameRefusal(error: unknown, { audience, resource }: WantedToken): RefusalName {
  if (!(error instanceof TokenEndpointError)) {
    const kind = error instanceof UnexchangeableTokenError ? 'unexchangeable' : 'unavailable';
    return { kind, detail: error instanceof Error ? error.message.slice(0, LONGEST) : '' };
  }
  const said = (error.description ?? '').slice(0, LONGEST).replace(VARYING, '#');
  const asked = [audience, resource].map((one) => String(one).slice(0, LONGEST));
  return { kind: `${error.status} ${error.error.slice(0, LONGEST)}`, detail: JSON.stringify([said, asked]) };
}
