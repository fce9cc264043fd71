import { createHmac } from 'node:crypto';
import { escapeText } from '../../core/log/escape-text.js';
import { Logger } from '../../core/logger/logger.js';
import { FieldCipher } from '../../core/sealing/field-cipher.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import type { SharedState } from './cluster-bus.js';
import type { MemberNames } from './member-names.js';
import { isUpTo, parsePosition } from './position.js';
import type {
  ClusterConnection,
  ClusterConnectionStats,
  ClusterFieldSwap,
  ClusterRecord,
  ClusterRecordChange,
  ClusterRecordOwner,
} from '../settings/cluster/cluster.interface.js';

/** Replaces record owners with digests that only holders of the secret can compute. */
class SealedOwners {
  readonly #key: Buffer;

  /** @throws {RangeError} if there is no secret */
  constructor(keyring: Keyring) {
    const [key] = keyring.derive('record owner');
    if (key === undefined) throw new RangeError('Owner digests cannot be computed without a secret');
    this.#key = key;
  }

  seal({ caller, share }: ClusterRecordOwner): ClusterRecordOwner {
    return {
      ...(caller !== undefined && { caller: this.#digest(caller) }),
      ...(share !== undefined && { share: this.#digest(share) }),
    };
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

/** The first character of encrypted values. Log positions never start with it. */
const SEALED = '~';

/**
 * The names of this package's fields, which may end in an id or a digest. Any other name could reveal information
 * about clients.
 */
const OWN_NAME = /^[a-z]{1,20}([:.][\w-]{1,100})?$/;

/** The field in an encrypted name's context, because the name itself is encrypted. */
const NAME = '';

/** The maximum length of a key in log messages. */
const LONGEST_KEY = 200;

/**
 * Encrypts records: values, and the names of fields that are not this package's. The backend writes positions into
 * the latter fields, and these remain readable. Any other readable value was written without the secret, and is
 * ignored like values that cannot be decrypted.
 */
export class SealedRecords {
  readonly #cipher: FieldCipher;
  readonly #owners: SealedOwners;
  readonly #logger = new Logger('McpCluster');
  readonly #due = new OncePerMinute();

  constructor(
    keyring: Keyring,
    private readonly server: string,
  ) {
    this.#cipher = new FieldCipher(keyring);
    this.#owners = new SealedOwners(keyring);
  }

  sealChange({
    key,
    isWhole,
    set = {},
    stamp = [],
    unset = [],
    expires,
    owner,
  }: ClusterRecordChange): ClusterRecordChange {
    const gone: string[] = [];
    const name = (field: string): string => {
      const [current, ...others] = this.#listNames(key, field);
      // While secrets are being rotated, a field must not exist twice.
      gone.push(...others);
      return current;
    };
    const values = Object.entries(set).map(([field, value]) => [name(field), this.#seal(key, field, value)]);
    // A field with another secret has an earlier position, which applies.
    const stamped = stamp.map((field) => this.#listNames(key, field)[0]);
    gone.push(...unset.flatMap((field) => this.#listNames(key, field)));
    return {
      key,
      expires,
      ...(isWhole !== undefined && { isWhole }),
      ...(values.length > 0 && { set: Object.fromEntries(values) as ClusterRecord }),
      ...(stamped.length > 0 && { stamp: stamped }),
      ...(gone.length > 0 && { unset: gone }),
      ...(owner && { owner: this.#owners.seal(owner) }),
    };
  }

  openRecord(key: string, record: ClusterRecord): ClusterRecord {
    const opened: Record<string, string> = {};
    for (const [sealed, text] of Object.entries(record)) {
      const field = OWN_NAME.test(sealed) ? sealed : this.#open(key, NAME, sealed);
      const value = field === undefined ? undefined : this.openValue(key, field, text);
      if (field === undefined || value === undefined) {
        this.#warn(key);
        continue;
      }
      opened[field] = selectFirst(opened[field], value);
    }
    return opened;
  }

  /** Returns the value of a field, or `undefined` if it was not written with a known secret. */
  openValue(key: string, field: string, text: string): string | undefined {
    if (text.startsWith(SEALED)) return this.#open(key, field, text);
    return OWN_NAME.test(field) ? undefined : parsePosition(text) && text;
  }

  /** Returns one swap for each secret, because the expected value may have been written with any of them. */
  sealSwap({ from, to, owner, ...given }: ClusterFieldSwap): readonly ClusterFieldSwap[] {
    const swap = { ...given, ...(owner && { owner: this.#owners.seal(owner) }) };
    const { key, field } = swap;
    const next = to === undefined ? {} : { to: this.#seal(key, field, to) };
    if (from === undefined) return [{ ...swap, ...next }];
    return this.#sealWithEach(key, field, from).map((sealed) => ({ ...swap, from: sealed, ...next }));
  }

  #listNames(key: string, field: string): readonly [string, ...string[]] {
    return OWN_NAME.test(field) ? [field] : this.#sealWithEach(key, NAME, field);
  }

  #seal(key: string, field: string, text: string): string {
    return `${SEALED}${this.#cipher.encrypt(text, this.#formatContext(key, field))}`;
  }

  #sealWithEach(key: string, field: string, text: string): readonly [string, ...string[]] {
    const sealed = this.#cipher.encryptByEach(text, this.#formatContext(key, field));
    return sealed.map((one) => `${SEALED}${one}`) as [string, ...string[]];
  }

  #open(key: string, field: string, sealed: string): string | undefined {
    if (!sealed.startsWith(SEALED)) return undefined;
    return this.#cipher.decrypt(sealed.slice(SEALED.length), this.#formatContext(key, field));
  }

  #warn(key: string): void {
    if (!this.#due.isDue('unreadable')) return;
    this.#logger.warn(
      `Part of the record "${escapeText(key, LONGEST_KEY)}" cannot be read and is ignored: it was modified by another party or encrypted with a different "secret"`,
    );
  }

  #formatContext(key: string, field: string): string {
    return `${this.server} ${key} ${field}`;
  }
}

/** While secrets are being rotated, a field may have a position for each of them. The first one applies. */
function selectFirst(known: string | undefined, value: string): string {
  const [position, other] = [parsePosition(value), parsePosition(known)];
  return known !== undefined && position && other && isUpTo(other, position) ? known : value;
}

const COUNTED_MS = 3000;

/**
 * The state that processes share. Operations reject until this process has joined them. Records are encrypted before
 * they are sent.
 */
export class EncryptedState implements SharedState {
  constructor(
    private readonly connect: () => ClusterConnection,
    private readonly records: SealedRecords,
    private readonly names: Pick<MemberNames, 'select'>,
  ) {}

  get now(): number {
    try {
      return this.connect().now ?? Date.now();
    } catch {
      return Date.now();
    }
  }

  get countedMs(): number {
    return this.connect().countedMs ?? COUNTED_MS;
  }

  get figures(): ClusterConnectionStats {
    return this.connect().figures;
  }

  async find(key: string): Promise<ClusterRecord | undefined> {
    const record = await this.connect().find(key);
    return record && this.records.openRecord(key, record);
  }

  async change(change: ClusterRecordChange): Promise<void> {
    return this.connect().change(this.records.sealChange(change));
  }

  async swap(swap: ClusterFieldSwap): Promise<string | undefined> {
    const { key, field, from, to } = swap;
    let current: string | undefined;
    for (const sealed of this.records.sealSwap(swap)) {
      current = await this.connect().swap(sealed);
      if (current === sealed.to) return to;
      const value = current === undefined ? undefined : this.records.openValue(key, field, current);
      if (current === undefined || value !== undefined) continue;
      // An unreadable value counts as absent.
      if (from !== undefined) return undefined;
      current = await this.connect().swap({ ...sealed, from: current });
      if (current === sealed.to) return to;
    }
    return current === undefined ? undefined : this.records.openValue(key, field, current);
  }

  async lease(name: string, holdMs: number): Promise<boolean> {
    return this.connect().lease(name, holdMs);
  }

  async release(name: string): Promise<void> {
    return this.connect().release(name);
  }

  async members(): Promise<readonly string[]> {
    return this.names.select(await this.connect().members());
  }
}
