import { createHash } from 'node:crypto';
import { Cipher } from '../../../core/sealing/cipher.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import type { SharedState } from '../../cluster/cluster-bus.js';
import type { KeptWebhook } from './webhook-office.js';

/** A webhook as processes keep it together. */
export interface StoredWebhook extends KeptWebhook {
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
