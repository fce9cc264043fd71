import { isObservable, type Observable } from 'rxjs';
import { explainError } from '../../../core/log/describe-failure.js';
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

/** Describes an event source that is not declared with a decorator. */
export interface DynamicEventSource<Payload extends object = OpenObject> extends EventSourceOptions<Payload> {
  /** The name, unique in the server. */
  readonly name: string;
  /** All scopes that a token must have. @default none: any valid token is accepted */
  readonly requiredScopes?: readonly string[];
}

/** The source options that can change while clients listen. */
export type EventSourceChanges<Payload extends object = OpenObject> = Partial<
  Pick<
    EventSourceOptions<Payload>,
    'title' | 'description' | 'inputSchema' | 'payloadSchema' | '_meta' | 'filter'
  >
>;

/**
 * Changes a running server's event sources, including decorated ones, and notifies clients.
 *
 * @example
 * this.events.add({ name: 'build.finished', payloadSchema: Build }, this.builds.finished$);
 * this.events.update('build.finished', { description: 'Fires when a build is done, failed or not' });
 * this.events.remove('build.finished');
 */
export class McpEvents {
  constructor(private readonly extension: EventsExtension) {}

  /**
   * Adds a source that works like a decorated one.
   *
   * @throws {CatalogError} if its name is in use, an option is invalid, or there is no Observable
   * @throws {McpConfigurationError} if the server has no events
   */
  add<Payload extends object = OpenObject>(
    source: DynamicEventSource<Payload>,
    values$: Observable<unknown>,
  ): void {
    const { requiredScopes, ...options } = source;
    const { feeds, factory } = this.#sources;
    const location = formatLocation(source.name);
    if (!isObservable(values$))
      throw CatalogError.invalid(`${location}: pass an Observable after the options`);
    const access = requiredScopes === undefined ? {} : { requiredScopes };
    const checked = check(location, options);
    const feed = factory.build(
      { name: source.name, options: checked, access, open: () => values$ },
      location,
    );
    try {
      feeds.add(feed);
    } catch (error) {
      feed.stop();
      throw error;
    }
    this.extension.require(feed.entry.access?.scopes);
  }

  /**
   * Changes a source's description. Clients keep listening.
   *
   * @param breaking the schema that changes incompatibly. Its subscriptions end, so clients must subscribe again with
   *   the new list
   * @throws {CatalogError} if there is no such source or an option is invalid
   * @throws {McpConfigurationError} if the server has no events
   */
  update<Payload extends object = OpenObject>(
    name: string,
    changes: EventSourceChanges<Payload>,
    breaking?: 'inputSchema' | 'payloadSchema',
  ): void {
    const { feeds, factory } = this.#sources;
    const feed = feeds.find(name);
    if (feed === undefined || feed.isOver) throw CatalogError.unknown(`event source "${name}"`);
    const location = formatLocation(name);
    const { entry } = feed;
    const options = check(location, { ...entry.options, ...(changes as EventSourceChanges) });
    const open = () => entry.open();
    const changed = factory.describe({ name, options, access: {}, open }, location);
    feeds.change(feed, changed, breaking && EventError.schemaChanged(breaking));
  }

  /**
   * Removes a source, and returns whether there was one. Streams and webhooks receive the remaining events, and then
   * the reason why they end.
   *
   * @throws {McpConfigurationError} if the server has no events
   */
  remove(name: string): boolean {
    return this.#sources.feeds.remove(name);
  }

  /** Returns all sources as listed in `events/list`, in the same order. */
  list(): readonly EventDefinition[] {
    return this.extension.sources?.feeds.listAll() ?? [];
  }

  get #sources() {
    const { sources } = this.extension;
    if (sources === undefined) {
      throw new McpConfigurationError('events', 'is required to change event sources: set "events: true"');
    }
    return sources;
  }
}

function formatLocation(name: unknown): string {
  return `McpEvents "${String(name)}"`;
}

function check<Payload extends object>(
  location: string,
  options: EventSourceOptions<Payload>,
): EventSourceOptions {
  try {
    assertEventSourceOptions(options);
  } catch (error) {
    throw CatalogError.invalid(`${location}: ${explainError(error)}`, error);
  }
  // The source's schema parses each event before its functions see it.
  return options as EventSourceOptions;
}
