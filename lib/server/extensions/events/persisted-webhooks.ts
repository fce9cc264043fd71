import { createHash } from 'node:crypto';
import { Logger } from '../../../core/logger/logger.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { Cipher } from '../../../core/sealing/cipher.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import type { MemoryHold } from '../../memory/memory-budget.js';
import { formatLine } from '../../log/format-line.js';
import type { SharedState } from '../../cluster/cluster-bus.js';
import { describeAsk, type WebhookAsk } from './subscribe-params.js';
import type { WebhookOffice, KeptWebhook } from './webhook-subscriptions.js';
import type { WebhookChange, WebhookDelivery } from './webhooks/webhook-delivery.interface.js';

/** Milliseconds after which it is written how far receivers are: so much is sent again by the next process if this one is killed. */
const WRITE_MS = 500;

/** Writings after which every cursor is written: those of quiet sources must not fall behind the log. */
const FULL_EVERY = 60;

/** The parts of the sender. */
export interface WebhookSenderParts {
  readonly office: WebhookOffice;
  readonly delivery: WebhookDelivery;
  readonly records: WebhookRecords;
}

/** Sends webhooks for all processes of the server, and stores what the next process needs to continue. */
export class WebhookSender {
  readonly #logger = new Logger('McpEvents');
  /** A pending write: a webhook that changed or ended. */
  readonly #changed = new Set<string>();
  /** How far receivers are, as it was written last, and as it is to be written. */
  readonly #written = new Map<string, string>();
  readonly #moved = new Map<string, string>();
  #opened: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writings = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WebhookSenderParts) {
    parts.delivery.changes$.subscribe((change) => this.#note(change));
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** Takes up what other processes sent before. */
  open(): Promise<void> {
    this.#opened ??= this.#takeUp();
    return this.#opened;
  }

  /** Sends no more; another process does. */
  close(): void {
    this.#opened = undefined;
    clearInterval(this.#timer);
    for (const id of this.parts.office.list()) this.parts.delivery.remove(id);
    for (const known of [this.#changed, this.#written, this.#moved]) known.clear();
  }

  /** Writes what the next process continues from; it never rejects. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    if (this.isOpen) await this.write().catch(() => undefined);
    this.#opened = undefined;
  }

  /** Does what a caller wants, once it is kept; rejects if it cannot be kept. */
  async run(ask: WebhookAsk, memory?: MemoryHold): Promise<OpenObject> {
    await this.open();
    const result = await this.parts.office.run(ask, memory);
    this.#changed.add(ask.id);
    await this.write();
    return result;
  }

  /** Writes what changed; rejects if it cannot, and then it is written the next time. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #takeUp(): Promise<void> {
    try {
      for (const { cursor, ...kept } of await this.parts.records.load()) {
        if (kept.expiresAt > Date.now()) await this.#restore(kept, cursor);
        else this.#changed.add(kept.ask.id);
      }
      this.#timer = setInterval(() => void this.write().catch(() => undefined), WRITE_MS).unref();
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #restore(kept: Parameters<WebhookOffice['restore']>[0], cursor: string | undefined): Promise<void> {
    try {
      await this.parts.office.restore(kept, cursor);
      if (cursor !== undefined) this.#written.set(kept.ask.id, cursor);
    } catch (error) {
      // Its receiver may not be allowed any more.
      const line = `The webhook "${kept.ask.id}" is not taken up: ${describeFailure(error).text}`;
      this.#logger.warn(formatLine(line, describeAsk(kept.ask)));
      this.#changed.add(kept.ask.id);
    }
  }

  /** What ends because the process ends is for the next one, from where it was. */
  #note(change: WebhookChange): void {
    if (change.kind !== 'ended' || !this.isOpen) return;
    const { id, reason, cursor } = change;
    if (reason !== 'closed') return void this.#changed.add(id);
    this.#changed.delete(id);
    if (cursor !== undefined) this.#moved.set(id, cursor);
  }

  async #write(): Promise<void> {
    const { records } = this.parts;
    const ids = [...this.#changed];
    this.#changed.clear();
    try {
      const changes = new Map(ids.map((id) => [id, this.#describe(id)]));
      if (changes.size > 0) await records.write(changes);
      await this.#writeCursors();
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
  }

  async #writeCursors(): Promise<void> {
    this.#noteMoved();
    const moved = new Map(this.#moved);
    if (moved.size > 0) await this.parts.records.writeCursors(moved);
    for (const [id, cursor] of moved) {
      this.#written.set(id, cursor);
      if (this.#moved.get(id) === cursor) this.#moved.delete(id);
    }
  }

  #describe(id: string): StoredWebhook | undefined {
    const { office } = this.parts;
    const kept = office.find(id);
    if (kept === undefined) {
      this.#written.delete(id);
      return undefined;
    }
    const { ask, expiresAt, formerSecret } = kept;
    const cursor = office.findCursor(id);
    return {
      ask,
      expiresAt,
      ...(formerSecret !== undefined && { formerSecret }),
      ...(cursor !== undefined && { cursor }),
    };
  }

  /** Notes who is further than it was written. */
  #noteMoved(): void {
    const { office } = this.parts;
    this.#writings += 1;
    const isFull = this.#writings % FULL_EVERY === 0;
    for (const id of office.list()) {
      if (!isFull && !office.hasMoved(id)) continue;
      const cursor = office.findCursor(id);
      if (cursor !== undefined && cursor !== this.#written.get(id)) this.#moved.set(id, cursor);
    }
  }
}

/** A webhook as processes keep it together. */
interface StoredWebhook extends KeptWebhook {
  readonly cursor?: string;
}

/** Records that webhooks are spread over: each is read as a whole. */
const RECORDS = 32;

/** Milliseconds that a record outlives the last webhook in it. */
const GRACE_MS = 3_600_000;

/** A change of a record, before it is written. */
interface Draft {
  readonly set: Record<string, string>;
  readonly unset: string[];
}

/**
 * Keeps the webhooks of a server for the process that sends after this one: encrypted, since they have secrets. So are the
 * names of their fields: an id follows from the caller and the URL, which others may guess.
 */
export class WebhookRecords {
  readonly #cipher: Cipher;

  constructor(
    private readonly shared: SharedState,
    keyring: Keyring,
    private readonly longestMs: number,
  ) {
    this.#cipher = new Cipher('webhook', keyring);
  }

  /** Reads all of them; rejects if they cannot be read. */
  async load(): Promise<readonly StoredWebhook[]> {
    const keys = Array.from({ length: RECORDS }, (_, index) => formatKey(index));
    const records = await Promise.all(keys.map((key) => this.shared.find(key)));
    return records.flatMap((record = {}) =>
      Object.entries(record).flatMap(([field, text]) => this.#parse(field, text, record)),
    );
  }

  /** Writes the given ones, and removes those that are gone; rejects if it cannot. */
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
    const { cursor, ...kept } = webhook;
    set[`w ${id}`] = this.#cipher.encrypt(JSON.stringify(kept), id);
    if (cursor !== undefined) set[`c ${id}`] = cursor;
  }

  /** Writes how far receivers are; rejects if it cannot. */
  async writeCursors(cursors: ReadonlyMap<string, string>): Promise<void> {
    const sets = new Map<string, Record<string, string>>();
    for (const [id, cursor] of cursors) {
      const key = findKey(id);
      sets.set(key, { ...sets.get(key), [`c ${id}`]: cursor });
    }
    const expires = Date.now() + this.longestMs + GRACE_MS;
    await Promise.all([...sets].map(([key, set]) => this.shared.change({ key, set, expires })));
  }

  /** What cannot be read is of a secret that is not here, or of another release. */
  #parse(field: string, text: string, record: Readonly<Record<string, string>>): readonly StoredWebhook[] {
    if (!field.startsWith('w ')) return [];
    const id = field.slice(2);
    const json = this.#cipher.decrypt(text, id);
    if (json === undefined) return [];
    const cursor = record[`c ${id}`];
    return [{ ...(JSON.parse(json) as KeptWebhook), ...(cursor !== undefined && { cursor }) }];
  }
}

function findKey(id: string): string {
  const [byte = 0] = createHash('sha256').update(id).digest();
  return formatKey(byte % RECORDS);
}

function formatKey(index: number): string {
  return `webhooks:${index}`;
}
