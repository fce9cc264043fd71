import { explainError } from '../../core/log/describe-failure.js';
import { escapeText } from '../../core/log/escape-text.js';

/** The kinds of entries. */
export type EntryKind = 'tool' | 'resource' | 'resourceTemplate' | 'prompt';

/** An entry that the gateway does not offer, and why. */
export interface RefusedEntry {
  readonly kind: EntryKind;
  /** The name or URI in the server's list. */
  readonly key: string;
  readonly reason: string;
}

/** An entry to offer. */
export interface NewOffer {
  /** The name or URI in the server's list. */
  readonly listedKey: string;
  /** The name or URI in the gateway's catalog. */
  readonly key: string;
  /** Everything shown in lists, compared to detect changes. */
  readonly shown: unknown;
  /** Adds the entry to the catalog. */
  readonly add: () => void;
}

/** Entries that exceed limits. */
export interface OfferLimits {
  readonly entries: number;
  readonly entryBytes: number;
}

/** One server's entries of one kind in the gateway's catalog. */
export class OfferedEntries {
  /** The entries in the catalog: the listed key and the shown JSON, keyed by catalog key. */
  readonly #offered = new Map<string, { readonly listedKey: string; readonly shown: string }>();
  #refused: readonly RefusedEntry[] = [];

  constructor(
    private readonly kind: EntryKind,
    private readonly limits: OfferLimits,
    private readonly remove: (key: string) => void,
  ) {}

  get size(): number {
    return this.#offered.size;
  }

  get refused(): readonly RefusedEntry[] {
    return this.#refused;
  }

  has(key: string): boolean {
    return this.#offered.has(key);
  }

  /** Makes the catalog offer exactly these entries, leaving unchanged entries alone. */
  replace(offers: readonly NewOffer[]): void {
    const refused: RefusedEntry[] = [];
    const refuse = (key: string, reason: string) => {
      if (refused.length < MOST_REFUSED) refused.push({ kind: this.kind, key: escapeText(key, 200), reason });
    };
    const wanted = new Set(offers.map(({ key }) => key));
    for (const key of [...this.#offered.keys()]) if (!wanted.has(key)) this.#drop(key);
    const seen = new Set<string>();
    for (const [index, offer] of offers.entries()) {
      const { listedKey, key } = offer;
      const isRepeated = seen.has(key);
      seen.add(key);
      const problem = isRepeated ? 'the server lists this name more than once' : this.#offer(offer, index);
      if (problem !== undefined) refuse(listedKey, problem);
    }
    this.#refused = refused;
  }

  /** Returns why the entry cannot be offered. */
  #offer(offer: NewOffer, index: number): string | undefined {
    const { listedKey, key, add } = offer;
    const shown = JSON.stringify(offer.shown);
    const present = this.#offered.get(key);
    if (present?.listedKey === listedKey && present.shown === shown) return undefined;
    this.#drop(key);
    const { entries, entryBytes } = this.limits;
    if (index >= entries) return `the server lists more than ${entries} entries of this kind`;
    const bytes = Buffer.byteLength(shown);
    if (bytes > entryBytes) return `its size is ${bytes} bytes, but the limit is ${entryBytes}`;
    if (shown.includes(MARK)) return 'its schema uses a reserved keyword';
    try {
      add();
    } catch (error) {
      return escapeText(explainError(error), 500);
    }
    this.#offered.set(key, { listedKey, shown });
    return undefined;
  }

  #drop(key: string): void {
    if (this.#offered.delete(key)) this.remove(key);
  }
}

/** The maximum number of rejected entries in the status. */
const MOST_REFUSED = 100;

/** The keyword that this package uses internally in schemas. */
const MARK = '"~nestjs-mcp"';
