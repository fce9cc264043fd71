import { createHmac } from 'node:crypto';
import { Keyring } from '../../../core/sealing/keyring.js';
import { nameAccount } from '../../memory/name-account.js';
import type { CallerTerms, KnownCaller } from './caller-filter.js';

/** Where the end of a caller's sessions is recorded. */
export interface RecordPlace {
  readonly key: string;
  readonly field: string;
}

/** The records that may note the end of a caller, with the fields for this. */
export interface ConcerningRecord {
  readonly key: string;
  readonly fields: readonly string[];
}

const ENDED = 'ended';

/** What a record is about. */
type Kind = 'caller' | 'subject' | 'client';

/**
 * Names records by callers. Without the secret, a reader of the engine cannot recognise the callers. Records are named by
 * the first secret, and looked for by each.
 */
export class CallerRecords {
  readonly #keys: readonly Buffer[];

  /** @param keyring empty if the server is alone: then nobody else has to find a record */
  constructor(keyring: Keyring) {
    this.#keys = (keyring.isEmpty ? Keyring.random() : keyring).derive('caller');
  }

  /** Lists where the end of a caller's sessions is recorded. */
  listPlaces({ identities, subject, issuer, clientId }: CallerTerms): readonly RecordPlace[] {
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
  listConcerning({ identity, claims }: KnownCaller): readonly ConcerningRecord[] {
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
