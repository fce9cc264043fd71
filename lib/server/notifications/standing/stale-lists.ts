import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { ListDigests } from '../../catalogue/listing/list-digests.js';
import type { Peer } from '../../context/peer.interface.js';
import { buildRecordOwner } from '../../relay/build-record-owner.js';
import { Relay } from '../../relay/relay.js';
import { Topic } from '../../relay/topic.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { BoundedState } from '../../sessions/shared/bounded-state.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import { Session } from '../../sessions/session.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { ANNOUNCEMENT } from '../announcing/announcement.js';
import { buildListChanged } from '../change-notifications.js';
import { KnownLists, type DigestedArea } from './known-lists.js';

/** What the client of a session knows of the lists now, as its record has it. */
const LISTS_KNOWN = new Topic<{ readonly key: string; readonly lists: string }>(
  'session.lists',
  ({ key, lists }: { readonly key?: unknown; readonly lists?: unknown }) =>
    typeof key === 'string' && typeof lists === 'string',
);

/** Milliseconds between two looks for clients that listed last at a process which is gone. */
const EVERY_MS = 5_000;

/** Sessions that are looked after at once. */
const AT_ONCE = 100;

/** Texts that are kept parsed. */
const MOST_PARSED = 1_000;

/** How often it is tried if others are at it too. */
const MOST_ATTEMPTS = 3;

/**
 * Tells clients which lists have changed if another process opened their session, or served them last, and lists something
 * else: it ran another release. Of several processes, one tells it, once. While both releases run, a client may read lists
 * of either. What it has read of the former one is told again when its process is gone.
 */
@Injectable()
export class StaleLists implements OnModuleInit, OnModuleDestroy {
  /** What the ids of adopted sessions say. */
  readonly #opened = new WeakMap<Session, KnownLists>();
  readonly #parsed = new Map<string, KnownLists>();
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly digests: ListDigests,
    private readonly state: BoundedState,
    private readonly relay: Relay,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  onModuleInit(): void {
    if (!this.settings.sessions.adopt) return;
    this.#subscription = this.registry.events$.subscribe(({ type, session: { id } }) => {
      const session = type === 'opened' ? this.registry.find(id) : undefined;
      if (session?.isAdopted === true) this.#takeUp(session);
    });
    if (!this.relay.isShared) return;
    this.relay.on(LISTS_KNOWN, ({ key, lists }) => {
      const shared = this.registry.findByKey(key)?.shared;
      if (shared !== undefined) shared.lists = lists;
    });
    this.#timer = setInterval(() => void this.#lookAtAll(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    this.#subscription?.unsubscribe();
    clearInterval(this.#timer);
  }

  /**
   * Notes that a client reads a list of this process, if it was told of another one. Returns what the answer must wait for,
   * if there is anything: this process may be gone right after it.
   */
  noteListed(peer: Peer, area: DigestedArea): Promise<unknown> | undefined {
    if (!(peer instanceof Session) || peer.shared === undefined || peer.shared.isUnread) return undefined;
    const known = this.#find(peer);
    const isOther = known?.findChanged(this.digests.text).includes(area) === true;
    return isOther ? this.#write(peer, [area]) : undefined;
  }

  #takeUp(session: Session): void {
    const text = this.registry.readTicket(session.id)?.negotiated?.lists;
    const known = text === this.digests.text ? undefined : this.#parse(text, KnownLists.ofProcess);
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
    let members: Promise<readonly string[] | undefined> | undefined;
    const findMembers = () => (members ??= this.state.members());
    const all = [...this.registry.all()].filter((session) => this.#findStale(session).length > 0);
    for (let next = 0; next < all.length; next += AT_ONCE) {
      await Promise.all(all.slice(next, next + AT_ONCE).map((session) => this.#look(session, findMembers)));
    }
    this.#isLooking = false;
  }

  /** Finds the lists that a client does not know from this process, unless this process was the last to tell it of lists. */
  #findStale(session: Session): readonly DigestedArea[] {
    const known = this.#find(session);
    if (known === undefined || known.member === this.relay.member || session.isEnded) return [];
    return known.findChanged(this.digests.text);
  }

  /** Tells a client what has changed. It never rejects. */
  async #look(session: Session, findMembers: () => Promise<readonly string[] | undefined>): Promise<void> {
    const stale = this.#findStale(session);
    if (stale.length === 0) return;
    const { shared } = session;
    if (shared === undefined) {
      this.#opened.delete(session);
      return this.#tell(session, stale);
    }
    if (shared.isUnread) return;
    const known = this.#find(session);
    if (known?.has(this.digests.text, stale) === true) {
      // The client has heard of them, and has read the lists of another release since, or was told of those.
      const members = await findMembers();
      if (members === undefined || known.member === undefined || members.includes(known.member)) return;
    }
    const written = await this.#write(session, stale);
    this.#tell(session, written);
  }

  /** Writes down what a client knows from this process. Returns the lists that nobody else had written down. */
  async #write(session: Session, areas: readonly DigestedArea[]): Promise<readonly DigestedArea[]> {
    const { key, expires, shared } = session;
    if (shared === undefined) return [];
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const own = this.digests.text;
      const known = this.#find(session);
      const changed = known?.findChanged(own).filter((area) => areas.includes(area)) ?? [];
      if (known === undefined || changed.length === 0) return [];
      const to = known.after(own, changed, this.relay.member).format();
      const { lists: from } = shared;
      const swap = { key: buildRecordKey(key), field: SessionField.lists, to, expires };
      const owner = buildRecordOwner(session);
      const swapped = await this.state.swap({ ...swap, ...(from !== undefined && { from }), owner });
      if (swapped === undefined) return [];
      shared.lists = swapped.field;
      if (swapped.field !== to) continue;
      this.relay.tellAll(LISTS_KNOWN, { key, lists: to });
      return changed;
    }
    return [];
  }

  #tell({ key }: Session, areas: readonly DigestedArea[]): void {
    for (const area of areas) {
      const to = { area, only: { session: key } };
      this.relay.publish(ANNOUNCEMENT, { to, notification: buildListChanged(area) });
    }
  }
}
