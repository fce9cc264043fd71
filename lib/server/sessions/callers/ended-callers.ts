import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OnModuleInit } from '@nestjs/common';
import { Keyring } from '../../../core/sealing/keyring.js';
import { nameAccount } from '../../memory/memory-account.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ClusterRecord } from '../../settings/cluster/cluster.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { CALLER_ENDED, type CallerEnd } from './caller-end.js';
import type { CallerTerms, KnownCaller } from './caller-filter.js';

/** Where the end of a caller's sessions is recorded. */
interface RecordLocation {
  readonly key: string;
  readonly field: string;
}

/** A record that may contain the end of a caller's sessions, and its fields for this. */
interface AffectedRecord {
  readonly key: string;
  readonly fields: readonly string[];
}

const ENDED = 'ended';

/** A record's subject. */
type Kind = 'caller' | 'subject' | 'client';

/**
 * Derives record names from callers. Without the secret, no one who reads the backend can recognize the callers.
 * Record names are derived from the first secret, and lookups try each secret.
 */
class CallerRecords {
  readonly #keys: readonly Buffer[];

  /** @param keyring empty if the server is a single process, because no other process has to find a record */
  constructor(keyring: Keyring) {
    this.#keys = (keyring.isEmpty ? Keyring.random() : keyring).derive('caller');
  }

  /** Lists where the end of a caller's sessions is recorded. */
  listPlaces({ identities, subject, issuer, clientId }: CallerTerms): readonly RecordLocation[] {
    const first = this.#keys[0] as Buffer;
    const field = formatField(clientId, first);
    if (identities !== undefined) {
      return identities.map((identity) => ({ key: formatKey('caller', identity, first), field }));
    }
    if (subject !== undefined) return [{ key: formatKey('subject', subject, first), field }];
    if (clientId === undefined) return [];
    return [{ key: formatKey('client', clientId, first), field: formatField(issuer, first) }];
  }

  /** Lists the records that may contain the end of a caller's sessions. */
  listConcerning({ identity, claims }: KnownCaller): readonly AffectedRecord[] {
    if (identity === undefined) return [];
    const { sub, iss, clientId } = claims ?? {};
    const identities = new Set([identity, nameAccount(identity)]);
    return this.#keys.flatMap((key) => {
      const fields = listFields(clientId, key);
      return [
        ...[...identities].map((name) => ({ key: formatKey('caller', name, key), fields })),
        ...(sub === undefined ? [] : [{ key: formatKey('subject', sub, key), fields }]),
        ...(clientId === undefined
          ? []
          : [{ key: formatKey('client', clientId, key), fields: listFields(iss, key) }]),
      ];
    });
  }
}

/** One field contains the time at which all sessions ended, another the time at which sessions of one kind ended. */
function listFields(kind: string | undefined, key: Buffer): readonly string[] {
  return kind === undefined ? [ENDED] : [ENDED, formatField(kind, key)];
}

function formatField(kind: string | undefined, key: Buffer): string {
  return kind === undefined ? ENDED : `${ENDED}.${digest(kind, key)}`;
}

/** A key consists of visible ASCII characters. */
function formatKey(kind: Kind, name: string, key: Buffer): string {
  return `${kind}:${digest(name, key)}`;
}

function digest(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * The maximum number of session ends that this process remembers. With several processes, they are also stored in the
 * records.
 */
const MOST_REMEMBERED = 10_000;

/** The maximum number of attempts to write an end that other processes change concurrently. */
const MOST_ATTEMPTS = 8;

/** When a caller's sessions ended, in milliseconds since the epoch, and the record's location. */
export interface NotedEnd extends RecordLocation {
  readonly at: number;
}

/** Finds a record that processes share. */
type FindRecord = (key: string) => Promise<ClusterRecord | undefined>;

/**
 * Remembers when the application ended callers' sessions, in whichever process. Sessions opened before that are
 * rejected until their ids expire.
 */
export class EndedCallers implements OnModuleInit {
  /**
   * One time per record location, in milliseconds since the epoch. The full capacity is allocated with the first end.
   */
  #ends: LRUCache<string, number> | undefined;
  readonly #lifetimeMs: number;
  readonly #records: CallerRecords;

  constructor(
    private readonly bus: ClusterBus,
    { sessions, keyring }: Pick<ServerSettings, 'sessions' | 'keyring'>,
  ) {
    this.#lifetimeMs = sessions.lifetimeMs;
    this.#records = new CallerRecords(keyring);
  }

  onModuleInit(): void {
    this.bus.on(CALLER_ENDED, (end) => this.#listen(end));
  }

  /**
   * Makes every process, including those that are disconnected or start later, reject sessions that a caller opened
   * before.
   */
  publish(end: CallerEnd): void {
    const { terms, at } = end;
    for (const { key, field } of this.#records.listPlaces(terms)) {
      const change = { key, set: { [field]: String(at) }, expires: at + this.#lifetimeMs };
      this.bus.publish(CALLER_ENDED, end, change);
    }
  }

  /** Returns the remembered ends. */
  list(): readonly NotedEnd[] {
    return [...(this.#ends ?? [])].map(([text, at]) => {
      const [key = '', field = ''] = text.split(' ');
      return { key, field, at };
    });
  }

  /**
   * Writes an end to its record, unless the record contains a later one.
   *
   * @throws {Error} if the backend is unavailable
   */
  async raise({ key, field, at }: NotedEnd): Promise<void> {
    let seen: string | undefined;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const swap = { key, field, from: seen, to: String(at), expires: at + this.#lifetimeMs };
      seen = await this.bus.shared?.swap(swap);
      if (Number(seen) >= at) return;
    }
  }

  /** A process that was disconnected may send an older end than the record already contains. */
  #listen(end: CallerEnd): void {
    for (const place of this.#records.listPlaces(end.terms)) {
      const at = this.#ends?.get(formatPlace(place));
      if (at !== undefined && at > end.at) this.raise({ ...place, at }).catch(() => undefined);
    }
    this.note(end);
  }

  /** Remembers an end, unless a later one is already known. */
  note({ terms, at }: CallerEnd): void {
    this.#ends ??= new LRUCache({ max: MOST_REMEMBERED });
    for (const place of this.#records.listPlaces(terms)) {
      const key = formatPlace(place);
      if (at <= (this.#ends.get(key) ?? 0)) continue;
      this.#ends.set(key, at, { ttl: Math.max(at + this.#lifetimeMs - Date.now(), 1) });
    }
  }

  /**
   * Returns whether this process knows that a session has ended, given its caller and opening time in milliseconds
   * since the epoch.
   */
  isKnownEnded(caller: KnownCaller, opened: number): boolean {
    const ends = this.#ends;
    if (ends === undefined || ends.size === 0) return false;
    return this.#records
      .listConcerning(caller)
      .some(({ key, fields }) =>
        fields.some((field) => (ends.get(formatPlace({ key, field })) ?? 0) >= opened),
      );
  }

  /**
   * Returns whether a session that this process does not know has ended, given its caller and opening time. It may have
   * ended before this process started. If the records are unavailable, the session continues.
   *
   * @param find finds a record in bounded time; returns `undefined` if there is none or it is unavailable
   */
  async isEnded(caller: KnownCaller, opened: number, find: FindRecord): Promise<boolean> {
    if (this.isKnownEnded(caller, opened)) return true;
    const found = await Promise.all(
      this.#records.listConcerning(caller).map(async ({ key, fields }) => {
        const record = await find(key);
        return fields.some((field) => Number(record?.[field] ?? 0) >= opened);
      }),
    );
    return found.includes(true);
  }
}

function formatPlace({ key, field }: RecordLocation): string {
  return `${key} ${field}`;
}
