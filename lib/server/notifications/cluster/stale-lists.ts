import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { ListDigests } from '../../catalog/listing/list-digests.js';
import type { RequestContext } from '../../context/request-context.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import type { SessionUpdates } from '../../sessions/shared/session-updates.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import { Session } from '../../sessions/session.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { NOTIFICATIONS } from '../audience.js';
import { buildListChanged } from '../change-notifications.js';
import { KnownLists, listDigested, type ReadList, type StaleList } from './known-lists.js';

/** Milliseconds between two checks for clients that last read a list from a process that has since ended. */
const CHECK_MS = 5_000;

/** The maximum number of sessions to check concurrently. */
const BATCH = 100;

/** The maximum number of parsed values to cache. */
const MOST_PARSED = 1_000;

/** The number of attempts to change a record that other processes also change. */
const MOST_ATTEMPTS = 3;

/** Selects the lists to record, given what a client knows. */
type Select = (known: KnownLists) => readonly ReadList[];

/**
 * Notifies clients of changed lists if a process from another release, with different lists, opened their session or
 * last served them. One process sends each notification, once. While both releases run, a client may read lists from
 * either. If it read a list of the earlier release again, it is notified again when that process has ended.
 *
 * For this, each listing is recorded as soon as every process knows about both releases, and clients are notified
 * only then. The record is authoritative, because the client may just have read a list from another process.
 */
export class StaleLists implements OnModuleInit, OnModuleDestroy {
  /** The lists in the ids of recovered sessions. */
  readonly #opened = new WeakMap<Session, KnownLists>();
  readonly #parsed = new Map<string, KnownLists>();
  /** Lists that clients read while the record was unavailable. */
  readonly #unrecorded = new WeakMap<Session, Set<ReadList>>();
  readonly #checks = new Set<Promise<void>>();
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly digests: ListDigests,
    private readonly state: BoundedState,
    private readonly bus: ClusterBus,
    private readonly updates: SessionUpdates,
    private readonly settings: ServerSettings,
  ) {}

  onModuleInit(): void {
    if (!this.settings.sessions.recover) return;
    this.#subscription = this.registry.events$.subscribe(({ type, session: { id } }) => {
      const session = type === 'opened' ? this.registry.find(id) : undefined;
      if (session?.isRecovered === true) this.#recover(session);
    });
    if (!this.bus.isShared) return;
    this.#timer = setInterval(() => void this.#checkAll(), CHECK_MS).unref();
  }

  /** Completes the records and the notifications that they mention, because other processes rely on them. */
  async onModuleDestroy(): Promise<void> {
    this.#subscription?.unsubscribe();
    clearInterval(this.#timer);
    await Promise.all([...this.#checks, this.#recordPending()]);
  }

  /**
   * Records that a client reads a list from this process, if it has seen a different version. The response must wait
   * for the returned promise, because this process may end right after it. The promise never rejects.
   */
  recordListing({ peer, params }: RequestContext, list: ReadList): Promise<unknown> | undefined {
    if (!(peer instanceof Session) || peer.shared === undefined) return undefined;
    if (!this.#hasOneVersion(peer, list)) return this.#record(peer, [list], params['cursor'] !== undefined);
    // At this point, it is unknown whether another release is running.
    if (peer.shared.isUnread || !this.state.isInReach) this.#defer(peer, list);
    return undefined;
  }

  #hasOneVersion(session: Session, list: ReadList): boolean {
    return this.#find(session)?.hasOneVersion(this.digests.text, list) ?? true;
  }

  async #record(session: Session, lists: readonly ReadList[], isPart: boolean): Promise<void> {
    const recorded = await this.#write(session, () => lists, isPart);
    if (recorded === undefined) lists.forEach((list) => this.#defer(session, list));
  }

  #defer(session: Session, list: ReadList): void {
    const lists = this.#unrecorded.get(session) ?? new Set();
    this.#unrecorded.set(session, lists.add(list));
  }

  #recover(session: Session): void {
    const text = this.registry.readTicket(session.id)?.negotiated?.lists;
    const known = text === this.digests.text ? undefined : this.#parse(text, KnownLists.parseHandshake);
    if (known !== undefined) this.#opened.set(session, known);
    // The session's record may still be recovered in this turn of the event loop.
    queueMicrotask(() => void this.#check(session, () => this.state.members()));
  }

  /** Returns the lists that a client knows, which may differ from the ones that this process returns. */
  #find(session: Session): KnownLists | undefined {
    return this.#parse(session.shared?.lists, KnownLists.parse) ?? this.#opened.get(session);
  }

  /** Sessions share few different values, each of which is parsed once. */
  #parse(text: string | undefined, parse: (text: string) => KnownLists | undefined): KnownLists | undefined {
    if (text === undefined) return undefined;
    if (this.#parsed.size >= MOST_PARSED) this.#parsed.clear();
    const known = this.#parsed.get(text) ?? parse(text);
    if (known !== undefined) this.#parsed.set(text, known);
    return known;
  }

  /** Never rejects. */
  async #checkAll(): Promise<void> {
    if (this.#isChecking || !this.state.isInReach) return;
    this.#isChecking = true;
    await this.#recordPending();
    let members: Promise<readonly string[] | undefined> | undefined;
    const findMembers = () => (members ??= this.state.members());
    const isStale = (session: Session) => this.#findStale(session).length > 0;
    await this.#forAll(isStale, (session) => this.#check(session, findMembers));
    this.#isChecking = false;
  }

  /**
   * Records listings that could not be recorded before. The client may have read from other processes in the
   * meantime, so all of them count.
   */
  async #recordPending(): Promise<void> {
    const isPending = (session: Session) => this.#unrecorded.has(session);
    await this.#forAll(isPending, async (session) => {
      const lists = [...(this.#unrecorded.get(session) ?? [])].filter(
        (list) => !this.#hasOneVersion(session, list),
      );
      this.#unrecorded.delete(session);
      if (lists.length > 0) await this.#record(session, lists, true);
    });
  }

  async #forAll(
    select: (session: Session) => boolean,
    act: (session: Session) => Promise<void>,
  ): Promise<void> {
    const all = [...this.registry.all()].filter(select);
    for (let next = 0; next < all.length; next += BATCH) {
      await Promise.all(all.slice(next, next + BATCH).map(act));
    }
  }

  #findStale(session: Session): readonly StaleList[] {
    return session.isEnded ? [] : (this.#find(session)?.findStale(this.digests.text, this.bus.member) ?? []);
  }

  /** Notifies a client of stale lists. It never rejects. */
  async #check(session: Session, findMembers: () => Promise<readonly string[] | undefined>): Promise<void> {
    const check = this.#notifyStale(session, findMembers);
    this.#checks.add(check);
    await check;
    this.#checks.delete(check);
  }

  async #notifyStale(
    session: Session,
    findMembers: () => Promise<readonly string[] | undefined>,
  ): Promise<void> {
    const stale = this.#findStale(session);
    if (stale.length === 0) return;
    const { shared } = session;
    if (shared === undefined) {
      this.#opened.delete(session);
      return this.#notify(
        session,
        stale.map(({ list }) => list),
      );
    }
    if (shared.isUnread) return;
    // The client has seen this list, and has since read another release's list. That is fine while that release is
    // running.
    const members = stale.some(({ wasSeen }) => wasSeen) ? await findMembers() : undefined;
    const isDue = ({ wasSeen, members: from }: StaleList) =>
      !wasSeen || (members !== undefined && from.some((member) => !members.includes(member)));
    const select: Select = (known) =>
      known
        .findStale(this.digests.text, this.bus.member)
        .filter(isDue)
        .map(({ list }) => list);
    const recorded = (await this.#write(session, select)) ?? [];
    if (recorded.length === 0) return;
    // If so, the process from which the client next reads the lists records it.
    await this.bus.acknowledged();
    this.#notify(session, recorded);
  }

  /**
   * Records the lists that a client received from this process, and notifies the other processes. Resolves to the
   * selected lists, without those that others have already recorded, or to `undefined` if the backend does not
   * respond in time.
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
        if (to !== from) await this.updates.tellLists(session, to);
        return lists;
      }
      from = swapped.field;
    }
    return undefined;
  }

  #notify({ key }: Session, lists: readonly ReadList[]): void {
    for (const list of listDigested(lists)) {
      const filter = `${list}ListChanged` as const;
      const to = { filter, only: { session: key } };
      this.bus.publish(NOTIFICATIONS, { to, notification: buildListChanged(filter) });
    }
  }
}
