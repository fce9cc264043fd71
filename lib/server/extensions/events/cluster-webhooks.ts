import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '../../../core/logger/logger.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { Cipher } from '../../../core/sealing/cipher.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import { logError } from '../../../core/log/describe-failure.js';
import { withTimeout } from '../../../core/async/timeouts.js';
import type { MemoryReservation } from '../../memory/memory-budget.js';
import { Lease } from '../../cluster/lease.js';
import { type ClusterBus, Query, type SharedState, Topic } from '../../cluster/cluster-bus.js';
import { logFailure } from '../../log/log-failure.js';
import { describeRequest, type WebhookRequest } from './subscribe-params.js';
import type { PersistedWebhooks } from './persisted-webhooks.js';

/**
 * Forwards a caller's request to the process that delivers webhooks. It is encrypted because it contains a secret.
 * The response follows separately in {@link RESPONSE}, because a slow receiver may delay it.
 */
const REQUEST = new Query<{ readonly id: string; readonly text: string }, { readonly isAccepted: boolean }>(
  'webhook.request',
);
const RESPONSE = new Query<{ readonly id: string; readonly text: string }, object>('webhook.response');

/** Requests that the delivering process rewrite its record, which another process could not find. */
const RECORD_MISSING = new Topic<object>('webhook.record-missing');

/** The result or the error of a forwarded request. */
type Outcome =
  | { readonly result: OpenObject }
  | { readonly error: Pick<McpError, 'code' | 'message' | 'data' | 'httpStatus'> };

/** The record that names the delivering process. */
const RECORD_KEY = 'webhooks';
const RECORD_TTL_MS = 86_400_000;

/** How long to look for the delivering process, and the pause between two attempts, in milliseconds. */
const SEARCH_MS = 15_000;
const RETRY_MS = 250;

/** Milliseconds between two attempts to restore the webhooks of the previous process. */
const RESTORE_RETRY_MS = 1000;

/** The parts of cluster-wide webhooks. */
export interface ClusterWebhooksParts {
  readonly bus: ClusterBus;
  readonly shared: SharedState;
  readonly webhooks: PersistedWebhooks;
  readonly keyring: Keyring;
  /** The delivering process's time limit for one request, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Lets one process of the cluster deliver all webhooks, and forwards callers' requests to it. When that process ends,
 * another one takes over.
 */
export class ClusterWebhooks {
  readonly #logger = new Logger('McpEvents');
  readonly #lease: Lease;
  readonly #cipher: Cipher;
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  #searchedAt = -Infinity;

  constructor(private readonly parts: ClusterWebhooksParts) {
    const { bus, keyring } = parts;
    this.#cipher = new Cipher('webhook', keyring);
    this.#lease = new Lease(bus, 'webhooks', (isHeld) => this.#change(isHeld));
    bus.respond(REQUEST, ({ id, text }, member) => this.#accept(id, text, member));
    bus.respond(RESPONSE, ({ id, text }) => this.#finish(id, text));
    bus.on(RECORD_MISSING, () => void (this.#lease.isHeld && this.#writeRecord().catch(() => undefined)));
  }

  start(): void {
    this.#lease.start();
  }

  /** Stores the current progress, and hands delivery over to another process. */
  async close(): Promise<void> {
    await this.parts.webhooks.leave();
    await this.#lease.stop();
  }

  /**
   * Handles a request, in this process or in the one that delivers webhooks.
   *
   * @throws {McpError} if the request is refused or cannot be handled now
   */
  async run(request: WebhookRequest, memory?: MemoryReservation): Promise<OpenObject> {
    const end = performance.now() + SEARCH_MS;
    do {
      if (this.#lease.isHeld) return this.#runHere(request, memory);
      const member = await this.#findDeliveringMember();
      const outcome = member === undefined ? undefined : await this.#forward(member, request);
      if (outcome !== undefined) return unwrap(outcome);
      // The delivering process may have ended.
      if (await this.#lease.attempt()) continue;
      this.#search();
      await delay(RETRY_MS);
    } while (performance.now() < end && this.parts.bus.isConnected);
    throw createUnavailableError();
  }

  /** Fails a request whose webhook could not be stored. */
  async #runHere(request: WebhookRequest, memory: MemoryReservation | undefined): Promise<OpenObject> {
    try {
      return await this.parts.webhooks.run(request, memory);
    } catch (error) {
      if (error instanceof McpError) throw error;
      logFailure(this.#logger, 'A webhook could not be stored', {
        failure: error,
        subject: describeRequest(request),
      });
      throw createUnavailableError();
    }
  }

  async #findDeliveringMember(): Promise<string | undefined> {
    const record = await this.parts.shared.find(RECORD_KEY).catch(() => undefined);
    const { member } = this.parts.bus;
    return record?.['sender'] === member ? undefined : record?.['sender'];
  }

  /** Runs one search at a time, regardless of how many callers are waiting. */
  #search(): void {
    if (performance.now() - this.#searchedAt < RETRY_MS) return;
    this.#searchedAt = performance.now();
    this.parts.bus.send(RECORD_MISSING, {});
  }

  /** Forwards a request. Returns `undefined` if the process no longer delivers webhooks. */
  async #forward(member: string, request: WebhookRequest): Promise<Outcome | undefined> {
    const { bus, timeoutMs } = this.parts;
    const id = randomUUID();
    const done = new Promise<Outcome>((resolve) => this.#waiting.set(id, resolve));
    try {
      const text = this.#cipher.encrypt(JSON.stringify(request), id);
      const { isAccepted } = await bus.request(REQUEST, { id, text }, member);
      return isAccepted ? await withTimeout(done, timeoutMs, createUnavailableError) : undefined;
    } catch (error) {
      if (error instanceof McpError) throw error;
      return undefined;
    } finally {
      this.#waiting.delete(id);
    }
  }

  #accept(id: string, text: string, member: string): { readonly isAccepted: boolean } {
    const json = this.#cipher.decrypt(text, id);
    if (!this.#lease.isHeld || json === undefined) return { isAccepted: false };
    void this.#handle(id, JSON.parse(json) as WebhookRequest, member);
    return { isAccepted: true };
  }

  /** Never rejects. The caller's process waits for a limited time only. */
  async #handle(id: string, request: WebhookRequest, member: string): Promise<void> {
    const outcome = await this.#runHere(request, undefined).then(
      (result): Outcome => ({ result }),
      (error: unknown) => describe(error),
    );
    const text = this.#cipher.encrypt(JSON.stringify(outcome), id);
    await this.parts.bus.request(RESPONSE, { id, text }, member).catch(() => undefined);
  }

  #finish(id: string, text: string): object {
    const json = this.#cipher.decrypt(text, id);
    if (json !== undefined) this.#waiting.get(id)?.(JSON.parse(json) as Outcome);
    return {};
  }

  #change(isHeld: boolean): void {
    if (isHeld) void this.#restore();
    else this.parts.webhooks.close();
  }

  /** Retries until it succeeds or another process delivers. Until then, events wait in the log. */
  async #restore(): Promise<void> {
    for (let attempt = 0; this.#lease.isHeld; attempt += 1) {
      try {
        await this.#writeRecord();
        return await this.parts.webhooks.open();
      } catch (error) {
        if (attempt === 0) logError(this.#logger, error, 'The webhooks could not be restored yet');
        await delay(RESTORE_RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Writes the record that names this process as the delivering one. */
  #writeRecord(): Promise<void> {
    const { shared, bus } = this.parts;
    const expires = Date.now() + RECORD_TTL_MS;
    return shared.change({ key: RECORD_KEY, set: { sender: bus.member }, expires });
  }
}

function describe(error: unknown): Outcome {
  const { code, message, data, httpStatus } = error instanceof McpError ? error : createUnavailableError();
  return { error: { code, message, data, ...(httpStatus !== undefined && { httpStatus }) } };
}

function unwrap(outcome: Outcome): OpenObject {
  if ('result' in outcome) return outcome.result;
  const { code, message, data, httpStatus } = outcome.error;
  throw new McpError(code, message, data, httpStatus);
}

function createUnavailableError(): McpError {
  const text = 'Webhooks are temporarily unavailable: try again later';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}
