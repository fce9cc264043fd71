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

/** The records that may note the end of a caller, with the fields for this. */
interface AffectedRecord {
  readonly key: string;
  readonly fields: readonly string[];
}

const ENDED = 'ended';

/** What a record is about. */
type Kind = 'caller' | 'subject' | 'client';

/**
 * Names records by callers. Without the secret, a reader of the engine cannot recognize the callers. Records are named by
 * the first secret, and looked for by each.
 */
class CallerRecords {
  readonly #keys: readonly Buffer[];

  /** @param keyring empty if the server is alone: then nobody else has to find a record */
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

  /** Lists the records that may say that the sessions of a caller ended. */
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

/** One field says when all ended, another when those of one kind did. */
function listFields(kind: string | undefined, key: Buffer): readonly string[] {
  return kind === undefined ? [ENDED] : [ENDED, formatField(kind, key)];
}

function formatField(kind: string | undefined, key: Buffer): string {
  return kind === undefined ? ENDED : `${ENDED}.${digest(kind, key)}`;
}

/** A key is visible ASCII. */
function formatKey(kind: Kind, name: string, key: Buffer): string {
  return `${kind}:${digest(name, key)}`;
}

function digest(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Ends that are remembered at once here; those of other processes are in records too. */
const MOST_REMEMBERED = 10_000;

/** How often an end is tried to be written that others change at the same time. */
const MOST_ATTEMPTS = 8;

/** When the sessions of a caller ended, in milliseconds of the epoch, and the place of the record. */
export interface NotedEnd extends RecordLocation {
  readonly at: number;
}

/** Finds what processes know together. */
type FindRecord = (key: string) => Promise<ClusterRecord | undefined>;

/**
 * Knows when the sessions of callers were ended by the application, in whichever process: what was opened before is refused until its id
 * would have expired.
 */
export class EndedCallers implements OnModuleInit {
  /** By place, in milliseconds of the epoch; room for all of them is taken with the first. */
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
    this.bus.on(CALLER_ENDED, (end) => this.#hear(end));
  }

  /** Has every process, also one that is away or starts later, refuse what a caller opened before. */
  publish(end: CallerEnd): void {
    const { terms, at } = end;
    for (const { key, field } of this.#records.listPlaces(terms)) {
      const change = { key, set: { [field]: String(at) }, expires: at + this.#lifetimeMs };
      this.bus.publish(CALLER_ENDED, end, change);
    }
  }

  /** Returns what is remembered. */
  list(): readonly NotedEnd[] {
    return [...(this.#ends ?? [])].map(([text, at]) => {
      const [key = '', field = ''] = text.split(' ');
      return { key, field, at };
    });
  }

  /**
   * Has the record of an end say that, unless it says a later one.
   *
   * @throws {Error} if the engine is out of reach
   */
  async raise({ key, field, at }: NotedEnd): Promise<void> {
    let seen: string | undefined;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const swap = { key, field, from: seen, to: String(at), expires: at + this.#lifetimeMs };
      seen = await this.bus.shared?.swap(swap);
      if (Number(seen) >= at) return;
    }
  }

  /** A process that was away may send older changes than those that the record has from others. */
  #hear(end: CallerEnd): void {
    for (const place of this.#records.listPlaces(end.terms)) {
      const at = this.#ends?.get(formatPlace(place));
      if (at !== undefined && at > end.at) this.raise({ ...place, at }).catch(() => undefined);
    }
    this.note(end);
  }

  /** Remembers an end; an earlier one is no news. */
  note({ terms, at }: CallerEnd): void {
    this.#ends ??= new LRUCache({ max: MOST_REMEMBERED });
    for (const place of this.#records.listPlaces(terms)) {
      const key = formatPlace(place);
      if (at <= (this.#ends.get(key) ?? 0)) continue;
      this.#ends.set(key, at, { ttl: Math.max(at + this.#lifetimeMs - Date.now(), 1) });
    }
  }

  /** Returns whether this process knows that a session is over which a caller opened at a time, in milliseconds of the epoch. */
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
   * Returns whether a session that this process does not know has ended, by its caller and its opening time. It may have
   * ended before this process started. If that cannot be found out now, it continues.
   *
   * @param find finds a record in bounded time; nothing if it cannot be found
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
