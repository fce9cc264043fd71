import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '../../../core/logger/logger.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { Cipher } from '../../../core/sealing/cipher.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import { logFault } from '../../../core/log/log-fault.js';
import { inTime } from '../../../core/waiting/in-time.js';
import type { MemoryHold } from '../../memory/memory-budget.js';
import { Lease } from '../../cluster/lease.js';
import { type ClusterBus, Query, type SharedState, Topic } from '../../cluster/cluster-bus.js';
import { logFailure } from '../../log/log-failure.js';
import { describeAsk, type WebhookAsk } from './subscribe-params.js';
import type { WebhookSender } from './persisted-webhooks.js';
import type { WebhookDesk } from './event-methods.js';

/**
 * What a caller wants, encrypted: it has a secret. The sending process answers with {@link DONE} when it has finished,
 * which a receiver may delay.
 */
const WANTED = new Query<{ readonly id: string; readonly text: string }, { readonly isTaken: boolean }>(
  'webhook.wanted',
);
const DONE = new Query<{ readonly id: string; readonly text: string }, object>('webhook.done');

/** A caller's process finds nobody who sends, although somebody does: the record that says so is missing. */
const SOUGHT = new Topic<object>('webhook.sought');

/** What came of it. */
type Outcome =
  | { readonly result: OpenObject }
  | { readonly error: Pick<McpError, 'code' | 'message' | 'data' | 'httpStatus'> };

/** The record that names who sends. */
const SENDER_KEY = 'webhooks';
const SENDER_KEPT_MS = 86_400_000;

/** Milliseconds of the search for a sending process, and between two attempts. */
const SEARCH_MS = 15_000;
const LOOK_MS = 250;

/** Milliseconds between two attempts to take up what another process sent. */
const TAKE_UP_MS = 1000;

/** The parts that share webhooks. */
export interface SharedWebhooksParts {
  readonly bus: ClusterBus;
  readonly shared: SharedState;
  readonly sender: WebhookSender;
  readonly keyring: Keyring;
  /** Milliseconds that the sending process may take for one request. */
  readonly timeoutMs: number;
}

/** Has one process of the server send the webhooks of all, another one when that ends, and callers ask whichever they reach. */
export class SharedWebhooks implements WebhookDesk {
  readonly #logger = new Logger('McpEvents');
  readonly #lease: Lease;
  readonly #cipher: Cipher;
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();
  #soughtAt = -Infinity;

  constructor(private readonly parts: SharedWebhooksParts) {
    const { bus, keyring } = parts;
    this.#cipher = new Cipher('webhook', keyring);
    this.#lease = new Lease(bus, 'webhooks', (isHeld) => this.#change(isHeld));
    bus.respond(WANTED, ({ id, text }, member) => this.#take(id, text, member));
    bus.respond(DONE, ({ id, text }) => this.#finish(id, text));
    bus.on(SOUGHT, () => void (this.#lease.isHeld && this.#nameSender().catch(() => undefined)));
  }

  start(): void {
    this.#lease.start();
  }

  /** Leaves the sending to another process, once what was sent is written down. */
  async close(): Promise<void> {
    await this.parts.sender.leave();
    await this.#lease.stop();
  }

  async run(ask: WebhookAsk, memory?: MemoryHold): Promise<OpenObject> {
    const end = performance.now() + SEARCH_MS;
    do {
      if (this.#lease.isHeld) return this.#runHere(ask, memory);
      const sender = await this.#findSender();
      const outcome = sender === undefined ? undefined : await this.#ask(sender, ask);
      if (outcome !== undefined) return unwrap(outcome);
      // The sending process may have ended.
      if (await this.#lease.attempt()) continue;
      this.#seek();
      await delay(LOOK_MS);
    } while (performance.now() < end && this.parts.bus.isConnected);
    throw createAwayError();
  }

  /** What could not be kept is not promised. */
  async #runHere(ask: WebhookAsk, memory: MemoryHold | undefined): Promise<OpenObject> {
    try {
      return await this.parts.sender.run(ask, memory);
    } catch (error) {
      if (error instanceof McpError) throw error;
      logFailure(this.#logger, 'A webhook could not be kept', { failure: error, subject: describeAsk(ask) });
      throw createAwayError();
    }
  }

  async #findSender(): Promise<string | undefined> {
    const record = await this.parts.shared.find(SENDER_KEY).catch(() => undefined);
    const { member } = this.parts.bus;
    return record?.['sender'] === member ? undefined : record?.['sender'];
  }

  /** However many callers wait, the sending process is sought once at a time. */
  #seek(): void {
    if (performance.now() - this.#soughtAt < LOOK_MS) return;
    this.#soughtAt = performance.now();
    this.parts.bus.send(SOUGHT, {});
  }

  /** Asks the sending process. Returns `undefined` if it no longer sends. */
  async #ask(sender: string, ask: WebhookAsk): Promise<Outcome | undefined> {
    const { bus, timeoutMs } = this.parts;
    const id = randomUUID();
    const done = new Promise<Outcome>((resolve) => this.#waiting.set(id, resolve));
    try {
      const text = this.#cipher.encrypt(JSON.stringify(ask), id);
      const { isTaken } = await bus.request(WANTED, { id, text }, sender);
      return isTaken ? await inTime(done, timeoutMs, createAwayError) : undefined;
    } catch (error) {
      if (error instanceof McpError) throw error;
      return undefined;
    } finally {
      this.#waiting.delete(id);
    }
  }

  #take(id: string, text: string, member: string): { readonly isTaken: boolean } {
    const json = this.#cipher.decrypt(text, id);
    if (!this.#lease.isHeld || json === undefined) return { isTaken: false };
    void this.#answer(id, JSON.parse(json) as WebhookAsk, member);
    return { isTaken: true };
  }

  /** Never rejects. The asking process waits only for a limited time. */
  async #answer(id: string, ask: WebhookAsk, member: string): Promise<void> {
    const outcome = await this.#runHere(ask, undefined).then(
      (result): Outcome => ({ result }),
      (error: unknown) => describe(error),
    );
    const text = this.#cipher.encrypt(JSON.stringify(outcome), id);
    await this.parts.bus.request(DONE, { id, text }, member).catch(() => undefined);
  }

  #finish(id: string, text: string): object {
    const json = this.#cipher.decrypt(text, id);
    if (json !== undefined) this.#waiting.get(id)?.(JSON.parse(json) as Outcome);
    return {};
  }

  #change(isHeld: boolean): void {
    if (isHeld) void this.#takeUp();
    else this.parts.sender.close();
  }

  /** Tries until it is done, or another process sends: receivers wait for what happens meanwhile. */
  async #takeUp(): Promise<void> {
    for (let attempt = 0; this.#lease.isHeld; attempt += 1) {
      try {
        await this.#nameSender();
        return await this.parts.sender.open();
      } catch (error) {
        if (attempt === 0) logFault(this.#logger, error, 'The webhooks of the server cannot be taken up yet');
        await delay(TAKE_UP_MS, undefined, { ref: false });
      }
    }
  }

  /** Says in the record that this process sends. */
  #nameSender(): Promise<void> {
    const { shared, bus } = this.parts;
    const expires = Date.now() + SENDER_KEPT_MS;
    return shared.change({ key: SENDER_KEY, set: { sender: bus.member }, expires });
  }
}

function describe(error: unknown): Outcome {
  const { code, message, data, httpStatus } = error instanceof McpError ? error : createAwayError();
  return { error: { code, message, data, ...(httpStatus !== undefined && { httpStatus }) } };
}

function unwrap(outcome: Outcome): OpenObject {
  if ('result' in outcome) return outcome.result;
  const { code, message, data, httpStatus } = outcome.error;
  throw new McpError(code, message, data, httpStatus);
}

function createAwayError(): McpError {
  const text = 'The webhooks of the server cannot be reached at the moment: try again later';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}
