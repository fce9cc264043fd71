import type { Observable } from 'rxjs';
import { explainError } from '../../../../core/log/describe-failure.js';
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

/** A page of the source list. */
interface EventPage {
  readonly events: readonly EventDefinition[];
  /** Where the next page begins; absent on the last page. */
  readonly next?: number;
}

interface ListedFeed extends Entry {
  readonly feed: EventFeed;
}

class FeedRegistry extends Registry<ListedFeed> {
  readonly kind = 'event source';
}

/** A server's running sources, by name. */
export class EventFeeds {
  readonly #registry = new FeedRegistry();
  #isStarted = false;

  /** @param isFiltered whether callers see only sources that they may subscribe to */
  constructor(
    feeds: readonly EventFeed[],
    private readonly isFiltered: boolean,
  ) {
    for (const feed of feeds) this.#register(feed);
  }

  /** Emits after each change to the list. */
  get changes$(): Observable<void> {
    return this.#registry.changes$;
  }

  /** Lists a page of the sources that a caller can see and subscribe to. */
  list(auth: AuthView, { after, size }: { readonly after: number; readonly size: number }): EventPage {
    const { entries, next } = this.#registry.page(after, size, ({ feed }) => this.#shows(feed, auth));
    return { events: entries.map(({ feed }) => feed.entry.definition), ...(next !== undefined && { next }) };
  }

  /** Lists all sources that have not ended. */
  listAll(): readonly EventDefinition[] {
    const feeds = this.#registry.list().map(({ feed }) => feed);
    return feeds.filter(({ isOver }) => !isOver).map(({ entry }) => entry.definition);
  }

  find(name: string): EventFeed | undefined {
    return this.#registry.find(name)?.feed;
  }

  /**
   * Gets a source that a caller may subscribe to. If its scopes depend on the arguments, they are checked when the
   * arguments are parsed.
   *
   * @throws {EventError} -32011 if there is no such source
   * @throws {AuthError} if the caller lacks a scope of the source
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
   * Adds a source, which starts once the application is ready.
   *
   * @throws {CatalogError} if the name is in use, or the application returns no Observable
   */
  add(feed: EventFeed): void {
    this.#register(feed);
    if (!this.#isStarted) return;
    try {
      feed.start();
    } catch (error) {
      this.#registry.remove(feed.entry.name);
      throw error;
    }
  }

  /** Changes a source's options. With an `ending`, listeners must subscribe again. */
  change(feed: EventFeed, changed: EventSourceEntry, ending?: EventError): void {
    changeEventSourceEntry(feed.entry, changed);
    this.#registry.replace({ key: feed.entry.name, feed });
    if (ending !== undefined) feed.interrupt(ending);
  }

  /** Removes a source and ends its listeners. Returns whether there was one. */
  remove(name: string): boolean {
    const feed = this.find(name);
    this.#registry.remove(name);
    feed?.terminate(EventError.sourceRemoved());
    return feed !== undefined;
  }

  /** Starts every source, once the application is ready. */
  start(): void {
    this.#isStarted = true;
    for (const { feed } of this.#registry.list()) feed.start();
  }

  /** Stops every source. */
  stop(): void {
    for (const { feed } of this.#registry.list()) feed.stop();
  }

  #register(feed: EventFeed): void {
    const key = feed.entry.name;
    this.#registry.add({ key, feed });
    // The logged events of an ended source can still be read, so it is found, but not listed.
    feed.ended$.subscribe(() => {
      if (this.find(key) === feed) this.#registry.replace({ key, feed });
    });
  }

  #shows({ entry: { access }, isOver }: EventFeed, auth: AuthView): boolean {
    if (isOver) return false;
    return !this.isFiltered || (access?.scopes ?? []).every((scope) => auth.hasScope(scope));
  }
}

/** A source declaration. */
type SourceDeclaration = Omit<EventSourceParts, 'hasWebhooks'>;

/** The parts that all of a server's feeds share. */
interface FeedParts {
  readonly cursors: EventCursors;
  readonly limits: EventsSettings;
  readonly bus: ClusterBus;
  readonly hasWebhooks: boolean;
}

/** Creates the feeds of declared sources. */
export class EventFeedFactory {
  constructor(private readonly parts: FeedParts) {}

  /**
   * Creates a source's feed.
   *
   * @param location where the source is declared, for error messages
   * @throws {CatalogError} if its declaration is invalid
   */
  build(declared: SourceDeclaration, location: string): EventFeed {
    const { cursors, limits, bus } = this.parts;
    return new EventFeed(this.describe(declared, location), cursors, limits, bus);
  }

  /** @throws {CatalogError} if its declaration is invalid */
  describe(declared: SourceDeclaration, location: string): EventSourceEntry {
    const { hasWebhooks } = this.parts;
    try {
      return buildEventSourceEntry({ ...declared, hasWebhooks });
    } catch (error) {
      const explanation = explainError(error);
      throw CatalogError.invalid(`${location}: ${explanation}`, error);
    }
  }
}
