import { DIGESTED } from '../../catalog/listing/list-digests.js';

/** A list that has a digest. */
export type DigestedList = (typeof DIGESTED)[number];

/** The lists that clients read, each with the list whose digest covers it. */
const DIGESTED_AS = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resources',
} as const satisfies Readonly<Record<string, DigestedList>>;

/** A list that has a method. */
export type ReadList = keyof typeof DIGESTED_AS;

const LISTS = Object.keys(DIGESTED_AS) as readonly ReadList[];

/** The maximum number of digests to store per list, which also limits how many releases can run concurrently. */
const MOST_DIGESTS = 4;

const DIGEST = '[\\w-]+';
const OWN_FORM = new RegExp(`^${DIGEST}$`);
const FORM = new RegExp(`^${DIGEST}(?:,${DIGEST})*/[a-z0-9]*:${DIGEST}(?:,[a-z0-9]*:${DIGEST})*$`);

/** Where a client got a list, or some of its pages. */
interface Source {
  /** The last process that returned it or sent a notification about it; empty for initialization. */
  readonly member: string;
  readonly digest: string;
}

/** A list, as a client knows it. */
interface KnownList {
  /** The digests that the client has seen, latest first. */
  readonly seen: readonly string[];
  /** Several if it has read the pages of several releases. */
  readonly sources: readonly Source[];
}

/** A list whose version at the client differs from the one that a process returns. */
export interface StaleList {
  readonly list: ReadList;
  /** The processes from which the client received it. */
  readonly members: readonly string[];
  /** Whether the client saw that process's list before, and has read a different one since. */
  readonly wasSeen: boolean;
}

/** How a client reads a process's list. */
interface Reading {
  readonly member: string;
  /** Whether it reads a further page. @default false */
  readonly isPart?: boolean;
}

/** The lists from all releases that a session's client knows, as stored in the session's record. */
export class KnownLists {
  private constructor(
    /** The number of changes. A record with more changes is newer. */
    private readonly count: number,
    private readonly lists: readonly KnownList[],
  ) {}

  /** Parses the digests in a session id. */
  static parseHandshake(this: void, text: string): KnownLists | undefined {
    const digests = text.split('.');
    if (digests.length !== DIGESTED.length || !digests.every((digest) => OWN_FORM.test(digest)))
      return undefined;
    const lists = LISTS.map((list) => findDigest(text, list));
    return new KnownLists(
      0,
      lists.map((digest) => ({ seen: [digest], sources: [{ member: '', digest }] })),
    );
  }

  /** Parses the result of {@link format}. Returns `undefined` for anything else. */
  static parse(this: void, text: string): KnownLists | undefined {
    const [count = '', parts = '', ...rest] = text.split(' ');
    const lists = parts.split('.');
    const isForm = /^\d{1,15}$/.test(count) && rest.length === 0 && lists.length === LISTS.length;
    if (!isForm || !lists.every((part) => FORM.test(part))) return undefined;
    return new KnownLists(Number(count), lists.map(parseList));
  }

  /** Finds the lists that the client received from other processes and that this process lists differently. */
  findStale(own: string, member: string): readonly StaleList[] {
    return LISTS.flatMap((list, index) => {
      const current = findDigest(own, list);
      const { seen = [], sources = [] } = this.lists[index] ?? {};
      const others = sources.filter((source) => source.digest !== current && source.member !== member);
      if (others.length === 0) return [];
      return [{ list, members: others.map((source) => source.member), wasSeen: seen.includes(current) }];
    });
  }

  /** Returns whether the client has only ever seen the version of a list that this process returns. */
  hasOneVersion(own: string, list: ReadList): boolean {
    const { seen = [], sources = [] } = this.lists[LISTS.indexOf(list)] ?? {};
    const current = findDigest(own, list);
    return [...seen, ...sources.map(({ digest }) => digest)].every((digest) => digest === current);
  }

  /** Returns what the client knows after a process returned these lists, or notified it of their changes. */
  after(own: string, lists: readonly ReadList[], { member, isPart = false }: Reading): KnownLists {
    const changed = this.lists.map((known, index) => {
      const list = LISTS[index];
      if (list === undefined || !lists.includes(list)) return known;
      const digest = findDigest(own, list);
      const source = { member, digest };
      const parts = isPart ? known.sources.filter((other) => other.digest !== digest) : [];
      return {
        seen: known.seen.includes(digest) ? known.seen : [digest, ...known.seen].slice(0, MOST_DIGESTS),
        sources: [source, ...parts].slice(0, MOST_DIGESTS),
      };
    });
    const next = new KnownLists(this.count + 1, changed);
    return next.#formatLists() === this.#formatLists() ? this : next;
  }

  format(): string {
    return `${this.count} ${this.#formatLists()}`;
  }

  #formatLists(): string {
    const parts = this.lists.map(({ seen, sources }) => {
      const from = sources.map(({ member, digest }) => `${member}:${digest}`);
      return `${seen.join()}/${from.join()}`;
    });
    return parts.join('.');
  }
}

/** Returns the lists whose digests cover these lists, without duplicates. */
export function listDigested(lists: readonly ReadList[]): readonly DigestedList[] {
  return [...new Set(lists.map((list) => DIGESTED_AS[list]))];
}

/** Finds a list's digest in a process's digests. */
function findDigest(own: string, list: ReadList): string {
  return own.split('.')[DIGESTED.indexOf(DIGESTED_AS[list])] ?? '';
}

function parseList(text: string): KnownList {
  const [seen = '', sources = ''] = text.split('/');
  return {
    seen: seen.split(','),
    sources: sources.split(',').map((source) => {
      const [member = '', digest = ''] = source.split(':');
      return { member, digest };
    }),
  };
}
