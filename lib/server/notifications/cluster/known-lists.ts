import { DIGESTED } from '../../catalog/listing/list-digests.js';

/** A list that has a digest. */
export type DigestedArea = (typeof DIGESTED)[number];

/** The lists that clients read, each with the area whose digest it has. */
const AREAS = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resources',
} as const satisfies Readonly<Record<string, DigestedArea>>;

/** A list that a client reads by itself. */
export type ReadList = keyof typeof AREAS;

const LISTS = Object.keys(AREAS) as readonly ReadList[];

/** Digests of a list that are remembered: those of the releases that run side by side. */
const MOST_DIGESTS = 4;

const DIGEST = '[\\w-]+';
const OWN_FORM = new RegExp(`^${DIGEST}$`);
const FORM = new RegExp(`^${DIGEST}(?:,${DIGEST})*/[a-z0-9]*:${DIGEST}(?:,[a-z0-9]*:${DIGEST})*$`);

/** Where a client has a list from, or a part of it. */
interface Source {
  /** The process that has listed it, or told of it, last; empty if that was the handshake. */
  readonly member: string;
  readonly digest: string;
}

/** What a client knows of one list. */
interface KnownList {
  /** The digests that it has been told of, the latest first. */
  readonly told: readonly string[];
  /** Several if it has read the pages of several releases. */
  readonly sources: readonly Source[];
}

/** A list that a client does not know as one process lists it. */
export interface StaleList {
  readonly list: ReadList;
  /** The processes that it has the list from. */
  readonly members: readonly string[];
  /** Whether the client was told of the list of that process before, and has read another one since. */
  readonly isTold: boolean;
}

/** How a client gets to know a list from a process. */
interface Reading {
  readonly member: string;
  /** Whether it reads a further page. @default false */
  readonly isPart?: boolean;
}

/** What the client of a session knows of the lists of releases, as the record of the session has it. */
export class KnownLists {
  private constructor(
    /** Counts the changes: what was changed more often is newer. */
    private readonly count: number,
    private readonly lists: readonly KnownList[],
  ) {}

  /** Reads the digests that a session id has. */
  static ofHandshake(this: void, text: string): KnownLists | undefined {
    const digests = text.split('.');
    if (digests.length !== DIGESTED.length || !digests.every((digest) => OWN_FORM.test(digest)))
      return undefined;
    const lists = LISTS.map((list) => findDigest(text, list));
    return new KnownLists(
      0,
      lists.map((digest) => ({ told: [digest], sources: [{ member: '', digest }] })),
    );
  }

  /** Reads what {@link format} gives. Returns `undefined` for anything else. */
  static parse(this: void, text: string): KnownLists | undefined {
    const [count = '', parts = '', ...rest] = text.split(' ');
    const lists = parts.split('.');
    const isForm = /^\d{1,15}$/.test(count) && rest.length === 0 && lists.length === LISTS.length;
    if (!isForm || !lists.every((part) => FORM.test(part))) return undefined;
    return new KnownLists(Number(count), lists.map(parseList));
  }

  /** Finds the lists that the client has from other processes, and that a process lists differently. */
  findStale(own: string, member: string): readonly StaleList[] {
    return LISTS.flatMap((list, index) => {
      const current = findDigest(own, list);
      const { told = [], sources = [] } = this.lists[index] ?? {};
      const others = sources.filter((source) => source.digest !== current && source.member !== member);
      if (others.length === 0) return [];
      return [{ list, members: others.map((source) => source.member), isTold: told.includes(current) }];
    });
  }

  /** Tells whether the client knows a list as that of a process alone: it has never been told of another one. */
  isAlone(own: string, list: ReadList): boolean {
    const { told = [], sources = [] } = this.lists[LISTS.indexOf(list)] ?? {};
    const current = findDigest(own, list);
    return [...told, ...sources.map(({ digest }) => digest)].every((digest) => digest === current);
  }

  /** Notes that a process has told these lists, or listed them. */
  after(own: string, lists: readonly ReadList[], { member, isPart = false }: Reading): KnownLists {
    const changed = this.lists.map((known, index) => {
      const list = LISTS[index];
      if (list === undefined || !lists.includes(list)) return known;
      const digest = findDigest(own, list);
      const source = { member, digest };
      const parts = isPart ? known.sources.filter((other) => other.digest !== digest) : [];
      return {
        told: known.told.includes(digest) ? known.told : [digest, ...known.told].slice(0, MOST_DIGESTS),
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
    const parts = this.lists.map(({ told, sources }) => {
      const from = sources.map(({ member, digest }) => `${member}:${digest}`);
      return `${told.join()}/${from.join()}`;
    });
    return parts.join('.');
  }
}

/** Returns the areas of lists, each once. */
export function listAreas(lists: readonly ReadList[]): readonly DigestedArea[] {
  return [...new Set(lists.map((list) => AREAS[list]))];
}

/** Finds the digest that a process has of a list. */
function findDigest(own: string, list: ReadList): string {
  return own.split('.')[DIGESTED.indexOf(AREAS[list])] ?? '';
}

function parseList(text: string): KnownList {
  const [told = '', sources = ''] = text.split('/');
  return {
    told: told.split(','),
    sources: sources.split(',').map((source) => {
      const [member = '', digest = ''] = source.split(':');
      return { member, digest };
    }),
  };
}
