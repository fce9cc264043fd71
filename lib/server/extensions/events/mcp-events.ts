import { isObservable, type Observable } from 'rxjs';
import { explainError } from '../../../core/log/explain-error.js';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { CatalogError } from '../../catalog/catalog.error.js';
import {
  assertEventSourceOptions,
  type EventSourceOptions,
} from '../../settings/extensions/event-source-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { EventError } from './event.error.js';
import type { EventsExtension } from './events.extension.js';
import type { EventDefinition } from './feeds/event-source-entry.js';

/** Describes a source of events that no decorator declares. */
export interface DynamicEventSource<Payload extends object = OpenObject> extends EventSourceOptions<Payload> {
  /** Unique in the server. */
  readonly name: string;
  /** Scopes that a token must have, all of them. @default none: any valid token will do */
  readonly requiredScopes?: readonly string[];
}

/** The options of a source that can change while clients listen to it. */
export type EventSourceChanges<Payload extends object = OpenObject> = Partial<
  Pick<
    EventSourceOptions<Payload>,
    'title' | 'description' | 'inputSchema' | 'payloadSchema' | '_meta' | 'filter'
  >
>;

/**
 * Changes the event sources of a running server, including those that decorators declared. Clients are told.
 *
 * @example
 * this.events.add({ name: 'build.finished', payloadSchema: Build }, this.builds.finished$);
 * this.events.update('build.finished', { description: 'Fires when a build is done, failed or not' });
 * this.events.remove('build.finished');
 */
export class McpEvents {
  constructor(private readonly extension: EventsExtension) {}

  /**
   * Adds a source. It works like a source from a decorator.
   *
   * @throws {CatalogError} when its name is taken, an option cannot be used or there is no Observable
   * @throws {McpConfigurationError} when the server has no events
   */
  add<Payload extends object = OpenObject>(
    source: DynamicEventSource<Payload>,
    values$: Observable<unknown>,
  ): void {
    const { requiredScopes, ...options } = source;
    const { feeds, factory } = this.#sources;
    const place = formatPlace(source.name);
    if (!isObservable(values$)) throw CatalogError.invalid(`${place}: give an Observable behind the options`);
    const access = requiredScopes === undefined ? {} : { requiredScopes };
    const checked = check(place, options);
    const feed = factory.build({ name: source.name, options: checked, access, open: () => values$ }, place);
    try {
      feeds.add(feed);
    } catch (error) {
      feed.stop();
      throw error;
    }
    this.extension.require(feed.entry.access?.scopes);
  }

  /**
   * Changes the description of a source. Clients that listen continue.
   *
   * @param breaking the options to change. If a subscription no longer fits them, it ends, and its client subscribes
   *   again by the new list
   * @throws {CatalogError} when there is no such source or an option cannot be used
   * @throws {McpConfigurationError} when the server has no events
   */
  update<Payload extends object = OpenObject>(
    name: string,
    changes: EventSourceChanges<Payload>,
    breaking?: 'inputSchema' | 'payloadSchema',
  ): void {
    const { feeds, factory } = this.#sources;
    const feed = feeds.find(name);
    if (feed === undefined || feed.isOver) throw CatalogError.unknown(`event source "${name}"`);
    const place = formatPlace(name);
    const { entry } = feed;
    const options = check(place, { ...entry.options, ...(changes as EventSourceChanges) });
    const open = () => entry.open();
    const changed = factory.describe({ name, options, access: {}, open }, place);
    feeds.change(feed, changed, breaking && EventError.schemaChanged(breaking));
  }

  /**
   * Removes a source, and tells whether there was one. Streams and webhooks get the events that are kept, and learn
   * that the source has ended.
   *
   * @throws {McpConfigurationError} when the server has no events
   */
  remove(name: string): boolean {
    return this.#sources.feeds.remove(name);
  }

  /** Returns all sources as the list shows them, in its order. */
  list(): readonly EventDefinition[] {
    return this.extension.sources?.feeds.listAll() ?? [];
  }

  get #sources() {
    const { sources } = this.extension;
    if (sources === undefined) {
      throw new McpConfigurationError('events', 'is required to change event sources: write "events: true"');
    }
    return sources;
  }
}

function formatPlace(name: unknown): string {
  return `McpEvents "${String(name)}"`;
}

function check<Payload extends object>(
  place: string,
  options: EventSourceOptions<Payload>,
): EventSourceOptions {
  try {
    assertEventSourceOptions(options);
  } catch (error) {
    throw CatalogError.invalid(`${place}: ${explainError(error)}`, error);
  }
  // The schema of a source parses each event before the functions of the source see it.
  return options as EventSourceOptions;
}
