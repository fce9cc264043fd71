import { createHash } from 'node:crypto';
import { Logger } from '../../../core/logger/logger.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { Cipher } from '../../../core/sealing/cipher.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import type { MemoryReservation } from '../../memory/memory-budget.js';
import { formatLine } from '../../log/format-line.js';
import type { SharedState } from '../../cluster/cluster-bus.js';
import { describeRequest, type WebhookRequest } from './subscribe-params.js';
import type { WebhookSubscriptions, ActiveWebhook } from './webhook-subscriptions.js';
import type { HttpDelivery } from './webhooks/http-delivery.js';
import type { WebhookChange } from './webhooks/webhook-delivery.interface.js';

/**
 * Milliseconds between two writes of the receivers' progress. If the process is killed, events since the last write
 * are resent.
 */
const WRITE_MS = 500;

/**
 * The number of writes after which every cursor is written. Otherwise, the cursors of quiet sources would fall out of
 * the log.
 */
const FULL_WRITE_EVERY = 60;

/** The parts of persisted webhooks. */
export interface PersistedWebhooksParts {
  readonly subscriptions: WebhookSubscriptions;
  readonly delivery: HttpDelivery;
  readonly store: WebhookStore;
}

/** Delivers all processes' webhooks, and stores the state that the next process needs to continue. */
export class PersistedWebhooks {
  readonly #logger = new Logger('McpEvents');
  /** Webhooks that changed or ended since the last write. */
  readonly #changed = new Set<string>();
  /** The cursors as last written, and those still to be written. */
  readonly #written = new Map<string, string>();
  readonly #pendingCursors = new Map<string, string>();
  #opened: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writeCount = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: PersistedWebhooksParts) {
    parts.delivery.changes$.subscribe((change) => this.#note(change));
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** Restores the webhooks of the process that delivered before. */
  open(): Promise<void> {
    this.#opened ??= this.#restoreAll();
    return this.#opened;
  }

  /** Stops delivering, because another process does. */
  close(): void {
    this.#opened = undefined;
    clearInterval(this.#timer);
    for (const id of this.parts.subscriptions.list()) this.parts.delivery.remove(id);
    for (const known of [this.#changed, this.#written, this.#pendingCursors]) known.clear();
  }

  /** Stores the progress for the next process. It never rejects. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    if (this.isOpen) await this.write().catch(() => undefined);
    this.#opened = undefined;
  }

  /** Handles a request and stores the outcome. Rejects if it cannot be stored. */
  async run(request: WebhookRequest, memory?: MemoryReservation): Promise<OpenObject> {
    await this.open();
    const result = await this.parts.subscriptions.run(request, memory);
    this.#changed.add(request.id);
    await this.write();
    return result;
  }

  /** Writes pending changes. If that fails, it rejects and retries them with the next write. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #restoreAll(): Promise<void> {
    try {
      for (const { cursor, ...webhook } of await this.parts.store.load()) {
        if (webhook.expiresAt > Date.now()) await this.#restore(webhook, cursor);
        else this.#changed.add(webhook.request.id);
      }
      this.#timer = setInterval(() => void this.write().catch(() => undefined), WRITE_MS).unref();
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #restore(
    webhook: Parameters<WebhookSubscriptions['restore']>[0],
    cursor: string | undefined,
  ): Promise<void> {
    try {
      await this.parts.subscriptions.restore(webhook, cursor);
      if (cursor !== undefined) this.#written.set(webhook.request.id, cursor);
    } catch (error) {
      // Its receiver may no longer be allowed.
      const line = `The webhook "${webhook.request.id}" could not be restored: ${describeFailure(error).text}`;
      this.#logger.warn(formatLine(line, describeRequest(webhook.request)));
      this.#changed.add(webhook.request.id);
    }
  }

  /** If a webhook ends only because this process ends, the next process continues it from its last cursor. */
  #note(change: WebhookChange): void {
    if (change.kind !== 'ended' || !this.isOpen) return;
    const { id, reason, cursor } = change;
    if (reason !== 'closed') return void this.#changed.add(id);
    this.#changed.delete(id);
    if (cursor !== undefined) this.#pendingCursors.set(id, cursor);
  }

  async #write(): Promise<void> {
    const { store } = this.parts;
    const ids = [...this.#changed];
    this.#changed.clear();
    try {
      const changes = new Map(ids.map((id) => [id, this.#describe(id)]));
      if (changes.size > 0) await store.write(changes);
      await this.#writeCursors();
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
  }

  async #writeCursors(): Promise<void> {
    this.#collectCursors();
    const moved = new Map(this.#pendingCursors);
    if (moved.size > 0) await this.parts.store.writeCursors(moved);
    for (const [id, cursor] of moved) {
      this.#written.set(id, cursor);
      if (this.#pendingCursors.get(id) === cursor) this.#pendingCursors.delete(id);
    }
  }

  #describe(id: string): StoredWebhook | undefined {
    const { subscriptions } = this.parts;
    const webhook = subscriptions.find(id);
    if (webhook === undefined) {
      this.#written.delete(id);
      return undefined;
    }
    const { request, expiresAt, formerSecret } = webhook;
    const cursor = subscriptions.findCursor(id);
    return {
      request,
      expiresAt,
      ...(formerSecret !== undefined && { formerSecret }),
      ...(cursor !== undefined && { cursor }),
    };
  }

  /** Collects the cursors that differ from the written ones. */
  #collectCursors(): void {
    const { subscriptions } = this.parts;
    this.#writeCount += 1;
    const isFull = this.#writeCount % FULL_WRITE_EVERY === 0;
    for (const id of subscriptions.list()) {
      if (!isFull && !subscriptions.hasMoved(id)) continue;
      const cursor = subscriptions.findCursor(id);
      if (cursor !== undefined && cursor !== this.#written.get(id)) this.#pendingCursors.set(id, cursor);
    }
  }
}

/** A webhook as stored for all processes. */
interface StoredWebhook extends ActiveWebhook {
  readonly cursor?: string;
}

/** The number of records that webhooks are distributed across, because a record is always read as a whole. */
const RECORDS = 32;

/** How long a record outlives its last webhook, in milliseconds. */
const GRACE_MS = 3_600_000;

/** A pending change of a record. */
interface Draft {
  readonly set: Record<string, string>;
  readonly unset: string[];
}

/**
 * Stores webhooks for the process that takes over delivery. They are encrypted because they contain secrets.
 */
export class WebhookStore {
  readonly #cipher: Cipher;

  constructor(
    private readonly shared: SharedState,
    keyring: Keyring,
    private readonly longestMs: number,
  ) {
    this.#cipher = new Cipher('webhook', keyring);
  }

  /** Reads all webhooks. Rejects if the store fails. */
  async load(): Promise<readonly StoredWebhook[]> {
    const keys = Array.from({ length: RECORDS }, (_, index) => formatKey(index));
    const records = await Promise.all(keys.map((key) => this.shared.find(key)));
    return records.flatMap((record = {}) =>
      Object.entries(record).flatMap(([field, text]) => this.#parse(field, text, record)),
    );
  }

  /** Writes changed webhooks and removes ended ones. Rejects if the store fails. */
  async write(changes: ReadonlyMap<string, StoredWebhook | undefined>): Promise<void> {
    const drafts = new Map<string, Draft>();
    for (const [id, webhook] of changes) {
      const key = findKey(id);
      const draft = drafts.get(key) ?? { set: {}, unset: [] };
      drafts.set(key, draft);
      this.#draft(draft, id, webhook);
    }
    const expires = Date.now() + this.longestMs + GRACE_MS;
    await Promise.all([...drafts].map(([key, draft]) => this.shared.change({ key, ...draft, expires })));
  }

  #draft({ set, unset }: Draft, id: string, webhook: StoredWebhook | undefined): void {
    if (webhook === undefined) return void unset.push(`w ${id}`, `c ${id}`);
    const { cursor, ...active } = webhook;
    set[`w ${id}`] = this.#cipher.encrypt(JSON.stringify(active), id);
    if (cursor !== undefined) set[`c ${id}`] = cursor;
  }

  /** Writes the receivers' progress. Rejects if the store fails. */
  async writeCursors(cursors: ReadonlyMap<string, string>): Promise<void> {
    const sets = new Map<string, Record<string, string>>();
    for (const [id, cursor] of cursors) {
      const key = findKey(id);
      sets.set(key, { ...sets.get(key), [`c ${id}`]: cursor });
    }
    const expires = Date.now() + this.longestMs + GRACE_MS;
    await Promise.all([...sets].map(([key, set]) => this.shared.change({ key, set, expires })));
  }

  /**
   * Skips entries that this process cannot decrypt because they were written with another secret or by another
   * release.
   */
  #parse(field: string, text: string, record: Readonly<Record<string, string>>): readonly StoredWebhook[] {
    if (!field.startsWith('w ')) return [];
    const id = field.slice(2);
    const json = this.#cipher.decrypt(text, id);
    if (json === undefined) return [];
    const cursor = record[`c ${id}`];
    return [{ ...(JSON.parse(json) as ActiveWebhook), ...(cursor !== undefined && { cursor }) }];
  }
}

function findKey(id: string): string {
  const [byte = 0] = createHash('sha256').update(id).digest();
  return formatKey(byte % RECORDS);
}

function formatKey(index: number): string {
  return `webhooks:${index}`;
}
