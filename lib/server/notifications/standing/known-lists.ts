import { DIGESTED } from '../../catalogue/listing/list-digests.js';

/** A list that has a digest. */
export type DigestedArea = (typeof DIGESTED)[number];

/** Digests of a list that are remembered: those of the releases that run side by side. */
const MOST_DIGESTS = 4;

const FORM = /^[\w-]+(?:,[\w-]+)*$/;

/** What the client of a session knows of the lists of releases, as the record of the session has it. */
export class KnownLists {
  private constructor(
    /** The process that has told or listed it last; absent if that was the handshake. */
    readonly member: string | undefined,
    /** The digests of each list, the latest first. */
    private readonly digests: readonly (readonly string[])[],
  ) {}

  /** Reads the digests of one process, such as those of a session id. */
  static ofProcess(this: void, text: string, member?: string): KnownLists | undefined {
    const parts = text.split('.');
    if (parts.length !== DIGESTED.length || !parts.every((part) => FORM.test(part))) return undefined;
    return new KnownLists(
      member,
      parts.map((part) => part.split(',')),
    );
  }

  /** Reads what {@link format} gives. Returns `undefined` for anything else. */
  static parse(this: void, text: string): KnownLists | undefined {
    const [member = '', lists = ''] = text.split(' ');
    return KnownLists.ofProcess(lists, member);
  }

  /** Tells which lists differ from those of a process. */
  findChanged(own: string): readonly DigestedArea[] {
    const current = own.split('.');
    return DIGESTED.filter((_, index) => this.digests[index]?.[0] !== current[index]);
  }

  /** Tells whether the client has been told of these lists before. */
  has(own: string, areas: readonly DigestedArea[]): boolean {
    const current = own.split('.');
    return areas.every((area) => {
      const index = DIGESTED.indexOf(area);
      return this.digests[index]?.includes(current[index] ?? '') === true;
    });
  }

  /** Notes that a process has told or listed these areas. */
  after(own: string, areas: readonly DigestedArea[], member: string): KnownLists {
    const current = own.split('.');
    const digests = this.digests.map((known, index) => {
      const area = DIGESTED[index];
      const latest = current[index];
      if (area === undefined || latest === undefined || !areas.includes(area)) return known;
      return [latest, ...known.filter((digest) => digest !== latest)].slice(0, MOST_DIGESTS);
    });
    return new KnownLists(member, digests);
  }

  format(): string {
    return `${this.member ?? ''} ${this.digests.map((known) => known.join(',')).join('.')}`;
  }
}
