import type { AuthView } from '../../../context/auth-view.interface.js';
import { EventError } from '../event.error.js';
import type { EventFeed } from './event-feed.js';
import type { EventDefinition } from './event-source-entry.js';

/** The sources of one server at work, by name. */
export class EventFeeds {
  readonly #feeds = new Map<string, EventFeed>();

  /** @param isFiltered whether callers see only what they may listen to */
  constructor(
    feeds: readonly EventFeed[],
    private readonly isFiltered: boolean,
  ) {
    for (const feed of feeds) this.#feeds.set(feed.entry.name, feed);
  }

  /** Lists what a caller sees. */
  list(auth: AuthView): readonly EventDefinition[] {
    const entries = [...this.#feeds.values()].map(({ entry }) => entry);
    return entries
      .filter(
        ({ access }) => !this.isFiltered || (access?.scopes ?? []).every((scope) => auth.hasScope(scope)),
      )
      .map(({ definition }) => definition);
  }

  find(name: string): EventFeed | undefined {
    return this.#feeds.get(name);
  }

  /**
   * Gives a source that a caller may listen to. If it takes scopes that depend on the arguments, all are asked for when these are read.
   *
   * @throws {EventError} -32011 where there is none of the name
   * @throws {AuthError} where the caller lacks a scope of it
   */
  get(name: string, auth: AuthView): EventFeed {
    const feed = this.#feeds.get(name);
    if (feed === undefined) throw EventError.unknownEvent(name);
    const { scopes = [], dynamic } = feed.entry.access ?? {};
    if (dynamic !== undefined && auth.claims !== undefined) return feed;
    if (scopes.length > 0) auth.requireScope(...scopes);
    return feed;
  }

  /** Lets every source begin, once the application is ready. */
  start(): void {
    for (const feed of this.#feeds.values()) feed.start();
  }

  /** Parts from every source. */
  stop(): void {
    for (const feed of this.#feeds.values()) feed.stop();
  }
}
