import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { ListDigests } from '../../catalog/listing/list-digests.js';
import type { RequestContext } from '../../context/request-context.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import type { SessionNews } from '../../sessions/shared/session-news.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import { Session } from '../../sessions/session.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { NOTIFICATIONS } from '../audience.js';
import { buildListChanged } from '../change-notifications.js';
import { KnownLists, listAreas, type ReadList, type StaleList } from './known-lists.js';

/** Milliseconds between two looks for clients that listed last at a process which is gone. */
const EVERY_MS = 5_000;

/** Sessions that are looked after at once. */
const AT_ONCE = 100;

/** Texts that are kept parsed. */
const MOST_PARSED = 1_000;

/** How often it is tried if others are at it too. */
const MOST_ATTEMPTS = 3;

/** Which lists are to be written down, if a client knows this. */
type Select = (known: KnownLists) => readonly ReadList[];

/**
 * Tells clients which lists have changed if another process opened their session, or served them last, and lists something
 * else: it ran another release. Of several processes, one tells it, once. While both releases run, a client may read lists
 * of either. What it has read of the former one is told again when its process is gone.
 *
 * So each listing is written down from then on that every process knows of both releases, and a client is told no earlier. It
 * is compared with the record: what this process knows of it may be older than what the client has just read elsewhere.
 */
export class StaleLists implements OnModuleInit, OnModuleDestroy {
  /** What the ids of adopted sessions say. */
  readonly #opened = new WeakMap<Session, KnownLists>();
  readonly #parsed = new Map<string, KnownLists>();
  /** What clients have read while it could not be written down. */
  readonly #unwritten = new WeakMap<Session, Set<ReadList>>();
  readonly #looking = new Set<Promise<void>>();
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly digests: ListDigests,
    private readonly state: BoundedState,
    private readonly bus: ClusterBus,
    private readonly news: SessionNews,
    private readonly settings: ServerSettings,
  ) {}

  onModuleInit(): void {
    if (!this.settings.sessions.recover) return;
    this.#subscription = this.registry.events$.subscribe(({ type, session: { id } }) => {
      const session = type === 'opened' ? this.registry.find(id) : undefined;
      if (session?.isAdopted === true) this.#takeUp(session);
    });
    if (!this.bus.isShared) return;
    this.#timer = setInterval(() => void this.#lookAtAll(), EVERY_MS).unref();
  }

  /** Others go by what is written down, so that is complete before the process leaves, and what it says was told is told. */
  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    clearInterval(this.#timer);
    await Promise.all([...this.#looking, this.#writeOwed()]);
  }

  /**
   * Notes that a client reads a list of this process, if it was told of another one. Returns what the answer must wait for,
   * if there is anything: this process may be gone right after it. That never rejects.
   */
  noteListed({ peer, params }: RequestContext, list: ReadList): Promise<unknown> | undefined {
    if (!(peer instanceof Session) || peer.shared === undefined) return undefined;
    if (!this.#isAlone(peer, list)) return this.#note(peer, [list], params['cursor'] !== undefined);
    // Whether there is another release is not known now.
    if (peer.shared.isUnread || !this.state.isInReach) this.#owe(peer, list);
    return undefined;
  }

  #isAlone(session: Session, list: ReadList): boolean {
    return this.#find(session)?.isAlone(this.digests.text, list) ?? true;
  }

  async #note(session: Session, lists: readonly ReadList[], isPart: boolean): Promise<void> {
    const written = await this.#write(session, () => lists, isPart);
    if (written === undefined) lists.forEach((list) => this.#owe(session, list));
  }

  #owe(session: Session, list: ReadList): void {
    const lists = this.#unwritten.get(session) ?? new Set();
    this.#unwritten.set(session, lists.add(list));
  }

  #takeUp(session: Session): void {
    const text = this.registry.readTicket(session.id)?.negotiated?.lists;
    const known = text === this.digests.text ? undefined : this.#parse(text, KnownLists.ofHandshake);
    if (known !== undefined) this.#opened.set(session, known);
    // In this turn, its record may still be taken over.
    queueMicrotask(() => void this.#look(session, () => this.state.members()));
  }

  /** Returns what a client knows that may not be what this process lists. */
  #find(session: Session): KnownLists | undefined {
    return this.#parse(session.shared?.lists, KnownLists.parse) ?? this.#opened.get(session);
  }

  /** Sessions have few different texts, which are parsed once. */
  #parse(text: string | undefined, parse: (text: string) => KnownLists | undefined): KnownLists | undefined {
    if (text === undefined) return undefined;
    if (this.#parsed.size >= MOST_PARSED) this.#parsed.clear();
    const known = this.#parsed.get(text) ?? parse(text);
    if (known !== undefined) this.#parsed.set(text, known);
    return known;
  }

  /** Never rejects. */
  async #lookAtAll(): Promise<void> {
    if (this.#isLooking || !this.state.isInReach) return;
    this.#isLooking = true;
    await this.#writeOwed();
    let members: Promise<readonly string[] | undefined> | undefined;
    const findMembers = () => (members ??= this.state.members());
    const isStale = (session: Session) => this.#findStale(session).length > 0;
    await this.#forAll(isStale, (session) => this.#look(session, findMembers));
    this.#isLooking = false;
  }

  /** Writes down what could not be before. The client may have read other processes since, so that each of them counts. */
  async #writeOwed(): Promise<void> {
    const isOwed = (session: Session) => this.#unwritten.has(session);
    await this.#forAll(isOwed, async (session) => {
      const lists = [...(this.#unwritten.get(session) ?? [])].filter((list) => !this.#isAlone(session, list));
      this.#unwritten.delete(session);
      if (lists.length > 0) await this.#note(session, lists, true);
    });
  }

  async #forAll(
    isMeant: (session: Session) => boolean,
    act: (session: Session) => Promise<void>,
  ): Promise<void> {
    const all = [...this.registry.all()].filter(isMeant);
    for (let next = 0; next < all.length; next += AT_ONCE) {
      await Promise.all(all.slice(next, next + AT_ONCE).map(act));
    }
  }

  #findStale(session: Session): readonly StaleList[] {
    return session.isEnded ? [] : (this.#find(session)?.findStale(this.digests.text, this.bus.member) ?? []);
  }

  /** Tells a client what has changed. It never rejects. */
  async #look(session: Session, findMembers: () => Promise<readonly string[] | undefined>): Promise<void> {
    const looking = this.#tellStale(session, findMembers);
    this.#looking.add(looking);
    await looking;
    this.#looking.delete(looking);
  }

  async #tellStale(
    session: Session,
    findMembers: () => Promise<readonly string[] | undefined>,
  ): Promise<void> {
    const stale = this.#findStale(session);
    if (stale.length === 0) return;
    const { shared } = session;
    if (shared === undefined) {
      this.#opened.delete(session);
      return this.#tell(
        session,
        stale.map(({ list }) => list),
      );
    }
    if (shared.isUnread) return;
    // A client that has heard of a list has read that of another release since, or was told of it: while that runs, it may.
    const members = stale.some(({ isTold }) => isTold) ? await findMembers() : undefined;
    const isDue = ({ isTold, members: from }: StaleList) =>
      !isTold || (members !== undefined && from.some((member) => !members.includes(member)));
    const select: Select = (known) =>
      known
        .findStale(this.digests.text, this.bus.member)
        .filter(isDue)
        .map(({ list }) => list);
    const written = (await this.#write(session, select)) ?? [];
    if (written.length === 0) return;
    // Whichever process the client asks then, that notes it.
    await this.bus.acknowledged();
    this.#tell(session, written);
  }

  /**
   * Writes down what a client knows from this process, and tells the others. Returns the lists of which that is so, which others
   * may have written down meanwhile, or `undefined` if the engine does not answer in time.
   */
  async #write(session: Session, select: Select, isPart = false): Promise<readonly ReadList[] | undefined> {
    const { key, expires, shared } = session;
    if (shared === undefined) return [];
    const { member } = this.bus;
    let from = shared.lists;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const known = this.#find(session);
      const lists = known === undefined ? [] : select(known);
      if (known === undefined || lists.length === 0) return [];
      const to = known.after(this.digests.text, lists, { member, isPart }).format();
      const swap = { key: buildRecordKey(key), field: SessionField.lists, to, expires };
      const owner = buildRecordOwner(session);
      const swapped = await this.state.swap({ ...swap, ...(from !== undefined && { from }), owner });
      if (swapped === undefined) return undefined;
      shared.noteLists(swapped.field);
      if (swapped.field === to) {
        if (to !== from) await this.news.tellLists(session, to);
        return lists;
      }
      from = swapped.field;
    }
    return undefined;
  }

  #tell({ key }: Session, lists: readonly ReadList[]): void {
    for (const area of listAreas(lists)) {
      const filter = `${area}ListChanged` as const;
      const to = { filter, only: { session: key } };
      this.bus.publish(NOTIFICATIONS, { to, notification: buildListChanged(filter) });
    }
  }
}
