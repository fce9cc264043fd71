import type { Observable } from 'rxjs';
import { explainError } from '../../../../core/log/explain-error.js';
import { Registry, type Entry } from '../../../catalog/registry.js';
import type { AuthView } from '../../../context/auth-view.interface.js';
import { CatalogError } from '../../../catalog/catalog.error.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { EventsSettings } from '../../../settings/extensions/events-options.js';
import { EventError } from '../event.error.js';
import { EventFeed } from './event-feed.js';
import {
  changeEventSourceEntry,
  type EventDefinition,
  type EventSourceEntry,
  buildEventSourceEntry,
  type EventSourceParts,
} from './event-source-entry.js';
import type { EventCursors } from './event-cursors.js';

/** A part of the list of sources. */
interface EventPage {
  readonly events: readonly EventDefinition[];
  /** The place behind which the next page begins; absent on the last one. */
  readonly next?: number;
}

interface ListedFeed extends Entry {
  readonly feed: EventFeed;
}

class FeedRegistry extends Registry<ListedFeed> {
  readonly kind = 'event source';
}

/** The sources of one server at work, by name. */
export class EventFeeds {
  readonly #registry = new FeedRegistry();
  #isStarted = false;

  /** @param isFiltered whether callers see only what they may listen to */
  constructor(
    feeds: readonly EventFeed[],
    private readonly isFiltered: boolean,
  ) {
    for (const feed of feeds) this.#place(feed);
  }

  /** Emits after each change of the list. */
  get changes$(): Observable<void> {
    return this.#registry.changes$;
  }

  /** Lists what a caller sees and can still begin to listen to, page by page. */
  list(auth: AuthView, { after, size }: { readonly after: number; readonly size: number }): EventPage {
    const { entries, next } = this.#registry.page(after, size, ({ feed }) => this.#shows(feed, auth));
    return { events: entries.map(({ feed }) => feed.entry.definition), ...(next !== undefined && { next }) };
  }

  /** Lists all that can still be listened to. */
  listAll(): readonly EventDefinition[] {
    const feeds = this.#registry.list().map(({ feed }) => feed);
    return feeds.filter(({ isOver }) => !isOver).map(({ entry }) => entry.definition);
  }

  find(name: string): EventFeed | undefined {
    return this.#registry.find(name)?.feed;
  }

  /**
   * Gives a source that a caller may listen to. If it takes scopes that depend on the arguments, all are asked for when these are read.
   *
   * @throws {EventError} -32011 if there is none of the name
   * @throws {AuthError} if the caller lacks a scope of it
   */
  get(name: string, auth: AuthView): EventFeed {
    const feed = this.find(name);
    if (feed === undefined) throw EventError.unknownEvent(name);
    const { scopes = [], dynamic } = feed.entry.access ?? {};
    if (dynamic !== undefined && auth.claims !== undefined) return feed;
    if (scopes.length > 0) auth.requireScope(...scopes);
    return feed;
  }

  /**
   * Adds a source, which begins once the application is ready.
   *
   * @throws {CatalogError} if there is one of its name, or the application gives no Observable
   */
  add(feed: EventFeed): void {
    this.#place(feed);
    if (!this.#isStarted) return;
    try {
      feed.start();
    } catch (error) {
      this.#registry.remove(feed.entry.name);
      throw error;
    }
  }

  /** Changes the options of a source. With an ending, listeners must begin again. */
  change(feed: EventFeed, changed: EventSourceEntry, ending?: EventError): void {
    changeEventSourceEntry(feed.entry, changed);
    this.#registry.replace({ key: feed.entry.name, feed });
    if (ending !== undefined) feed.interrupt(ending);
  }

  /** Removes a source and ends its listeners. Tells whether there was one. */
  remove(name: string): boolean {
    const feed = this.find(name);
    this.#registry.remove(name);
    feed?.terminate(EventError.sourceRemoved());
    return feed !== undefined;
  }

  /** Lets every source begin, once the application is ready. */
  start(): void {
    this.#isStarted = true;
    for (const { feed } of this.#registry.list()) feed.start();
  }

  /** Parts from every source. */
  stop(): void {
    for (const { feed } of this.#registry.list()) feed.stop();
  }

  #place(feed: EventFeed): void {
    const key = feed.entry.name;
    this.#registry.add({ key, feed });
    // The kept events of an ended source can still be read. So the source is found, but not listed.
    feed.ended$.subscribe(() => {
      if (this.find(key) === feed) this.#registry.replace({ key, feed });
    });
  }

  #shows({ entry: { access }, isOver }: EventFeed, auth: AuthView): boolean {
    if (isOver) return false;
    return !this.isFiltered || (access?.scopes ?? []).every((scope) => auth.hasScope(scope));
  }
}

/** The declaration of a source. */
type SourceDeclaration = Omit<EventSourceParts, 'takesWebhooks'>;

/** What all feeds of a server have. */
interface FeedParts {
  readonly cursors: EventCursors;
  readonly bounds: EventsSettings;
  readonly bus: ClusterBus;
  readonly takesWebhooks: boolean;
}

/** Makes feeds of what is declared. */
export class FeedFactory {
  constructor(private readonly parts: FeedParts) {}

  /**
   * Makes the feed of a source.
   *
   * @param place where the source is declared, for error texts
   * @throws {CatalogError} if it cannot be served as it is declared
   */
  build(declared: SourceDeclaration, place: string): EventFeed {
    const { cursors, bounds, bus } = this.parts;
    return new EventFeed(this.describe(declared, place), cursors, bounds, bus);
  }

  /** @throws {CatalogError} if it cannot be served as it is declared */
  describe(declared: SourceDeclaration, place: string): EventSourceEntry {
    const { takesWebhooks } = this.parts;
    try {
      return buildEventSourceEntry({ ...declared, takesWebhooks });
    } catch (error) {
      const explanation = explainError(error);
      throw CatalogError.invalid(`${place}: ${explanation}`, error);
    }
  }
}
