import { isObject, type JsonObject, parseJsonObject } from '../../core/protocol/json-rpc.js';
import { Cipher } from '../../core/sealing/cipher.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';

/** The prefix of an encrypted task. No JSON starts with it. */
const ENCRYPTED = 'e1:';

/** A task as stored in Redis. */
export interface StoredTask {
  readonly text: string;
  readonly version: number;
  /** Milliseconds until it expires, on the Redis clock. */
  readonly lastsMs: number;
}

/**
 * How long after its expiry a task is still accepted, regardless of Redis, in milliseconds. This prevents old tasks
 * from being replayed, even though processes' clocks may differ by hours.
 */
const LONGEST_AFTER_MS = 24 * 60 * 60_000;

const STATUSES: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/**
 * Formats and parses tasks for Redis, encrypted if there is a secret. The expiry in the stored task is only an upper
 * limit, because Redis expires the task on its own clock.
 */
export class TaskCodec {
  readonly #cipher: Cipher | undefined;

  constructor(keyring: Keyring) {
    this.#cipher = keyring.isEmpty ? undefined : new Cipher('task', keyring);
  }

  format(record: TaskRecord): string {
    const text = JSON.stringify(record);
    return this.#cipher === undefined ? text : ENCRYPTED + this.#cipher.encrypt(text, record.taskId);
  }

  /**
   * Parses a task. Returns `undefined` if its id or version differs, or if it was not encrypted with a known secret.
   * With a secret, unencrypted tasks are rejected.
   */
  parse(taskId: string, { text, version, lastsMs }: StoredTask): TaskRecord | undefined {
    const json = this.#cipher === undefined ? text : this.#decrypt(text, taskId);
    const stored = json === undefined ? undefined : parseJsonObject(json);
    if (stored === undefined || !isTask(stored) || !Number.isFinite(lastsMs)) return undefined;
    if (stored.taskId !== taskId || stored.version !== version) return undefined;
    const now = Date.now();
    return now > stored.expires + LONGEST_AFTER_MS ? undefined : { ...stored, expires: now + lastsMs };
  }

  #decrypt(text: string, taskId: string): string | undefined {
    if (!text.startsWith(ENCRYPTED)) return undefined;
    return this.#cipher?.decrypt(text.slice(ENCRYPTED.length), taskId);
  }
}

/** Checks all properties that other code relies on. Without a secret, another program may have written the task. */
function isTask(stored: JsonObject): stored is JsonObject & TaskRecord {
  const { call, inputRequests, inputResponses, scopes } = stored;
  const texts = [stored['profile'], stored['createdAt'], stored['lastUpdatedAt']];
  const optional = [stored['owner'], stored['sessionId'], stored['worker'], stored['statusMessage']];
  return (
    STATUSES.has(stored['status']) &&
    texts.every((text) => typeof text === 'string') &&
    optional.every((text) => text === undefined || typeof text === 'string') &&
    [stored['ttlMs'], stored['pollIntervalMs'], stored['expires']].every(Number.isFinite) &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))) &&
    [inputRequests, inputResponses].every(isObject) &&
    isCall(call)
  );
}

function isCall(call: unknown): boolean {
  if (!isObject(call) || !isObject(call['params']) || typeof call['version'] !== 'string') return false;
  return isObject(call['client']) && isObject(call['client']['capabilities']);
}
