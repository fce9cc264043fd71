import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { isSameSecret } from '../../../../core/sealing/hmac-sha256.js';
import type { FairSlots } from '../../../../core/async/concurrency.js';
import { isPromiseLike } from '../../../../core/async/promises.js';
import { buildSignedRequest, claimSlot, postMessage } from './post-message.js';
import { createMessageId, parseSecret } from './sign-message.js';
import type { DeliveryProblem } from './webhook-delivery.interface.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { WebhookLimitError, WebhookReceiverError } from './webhook.error.js';
import { resolveReceiver } from './receiver-address.js';

/** A receiver that has yet to confirm. */
export interface UnverifiedReceiver {
  readonly id: string;
  readonly receiver: URL;
  readonly secret: string;
  readonly owner?: string | undefined;
}

const MINUTE_MS = 60_000;

/** One subscriber may use a quarter of a host's verifications. */
const OWN_SHARE = 4;

/** The minimum number of verifications available to a subscriber. */
const FEWEST_OWN = 8;

/**
 * Verifies, once per subscriber, that a receiver wants events. Otherwise, the server could be abused to flood third
 * parties.
 *
 * @see modelcontextprotocol/experimental-ext-triggers-events, "Endpoint verification"
 */
export class EndpointVerification {
  readonly #confirmed: LRUCache<string, true>;
  /** The verifications in the current minute, per host, and per host and subscriber. */
  readonly #asked: LRUCache<string, number>;

  constructor(
    private readonly settings: WebhookSettings,
    private readonly slots: FairSlots,
  ) {
    const { maxSubscriptions: max, maxTtlMs: ttl } = settings;
    this.#confirmed = new LRUCache({ max, ttl });
    this.#asked = new LRUCache({ max, ttl: MINUTE_MS });
  }

  /**
   * Checks that the receiver confirms now, or has confirmed before.
   *
   * @throws {WebhookReceiverError} if it does not confirm, or its address is not allowed
   * @throws {WebhookLimitError} if there are too many verifications for its host
   */
  async assertConfirmed(claimed: UnverifiedReceiver, signal: AbortSignal): Promise<void> {
    const { receiver } = claimed;
    if (this.#confirmed.has(formatKey(claimed)) || this.#isTrusted(claimed)) {
      await this.#assertReachable(receiver);
    } else {
      this.#assertNotTooOften(claimed);
      await this.#ask(claimed, signal);
      this.#confirmed.set(formatKey(claimed), true);
    }
  }

  /** Renews a confirmation while its subscription is refreshed. */
  prolong(claimed: UnverifiedReceiver): void {
    this.#confirmed.get(formatKey(claimed), { updateAgeOnGet: true });
  }

  /** A promise is not treated as true. */
  #isTrusted({ receiver, owner }: UnverifiedReceiver): boolean {
    const answer: unknown = this.settings.isTrusted(receiver.href, owner);
    if (isPromiseLike(answer)) Promise.resolve(answer).catch(() => undefined);
    return answer === true;
  }

  async #ask(claimed: UnverifiedReceiver, signal: AbortSignal): Promise<void> {
    const challenge = randomBytes(32).toString('base64url');
    const body = Buffer.from(JSON.stringify({ type: 'verification', challenge }));
    const id = createMessageId('verification');
    const { owner, receiver } = claimed;
    const outcome = await this.slots.run(claimSlot(owner, receiver), () => {
      const request = buildSignedRequest({ id, body }, claimed, [parseSecret(claimed.secret)]);
      return postMessage(request, this.settings, signal);
    });
    if (outcome.kind === 'failed' && isUnreachable(outcome.problem)) {
      throw WebhookReceiverError.unusable(outcome.problem);
    }
    const isConfirmed = outcome.kind === 'accepted' && isEcho(outcome.answer, challenge);
    if (!isConfirmed) throw WebhookReceiverError.unusable('challenge_failed');
  }

  /** Rejects a receiver whose name resolves too slowly or not at all. */
  async #assertReachable(receiver: URL): Promise<void> {
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      await resolveReceiver(receiver, this.settings, signal);
    } catch (cause) {
      throw WebhookReceiverError.unusable('connection_refused', { cause });
    }
  }

  /** Limits the verifications for a host, in total and per subscriber. */
  #assertNotTooOften({ receiver: { hostname }, owner = '' }: UnverifiedReceiver): void {
    const most = this.settings.confirmationsPerMinute;
    const own = JSON.stringify([owner, hostname]);
    const isTooOften =
      this.#count(hostname) >= most || this.#count(own) >= Math.max(most / OWN_SHARE, FEWEST_OWN);
    if (isTooOften) throw new WebhookLimitError('verifications');
    this.#note(hostname);
    this.#note(own);
  }

  #count(name: string): number {
    return this.#asked.get(name) ?? 0;
  }

  #note(name: string): void {
    const ttl = this.#asked.getRemainingTTL(name) || MINUTE_MS;
    this.#asked.set(name, this.#count(name) + 1, { ttl });
  }
}

/** Confirmations are separate for each subscriber. */
function formatKey({ owner, receiver }: UnverifiedReceiver): string {
  return JSON.stringify([owner ?? null, receiver.href]);
}

function isUnreachable(problem: DeliveryProblem): problem is Exclude<DeliveryProblem, `http_${string}`> {
  return !problem.startsWith('http_');
}

function isEcho(answer: Buffer | undefined, challenge: string): boolean {
  return isSameSecret(Buffer.from(challenge), Buffer.from(findChallenge(answer)));
}

function findChallenge(answer: Buffer | undefined): string {
  try {
    const parsed: unknown = JSON.parse(String(answer));
    return isObject(parsed) ? String(parsed['challenge']) : '';
  } catch {
    return '';
  }
}
