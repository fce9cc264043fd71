import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CatalogueError } from '../../catalogue/catalogue.error.js';
import type { ExtensionHandle } from '../../dispatch/extension-handle.interface.js';
import { McpExtensions } from '../../dispatch/mcp-extensions.js';
import { MemoryBudget } from '../../memory/memory-budget.js';
import { Relay } from '../../relay/relay.js';
import type { EventsSettings } from '../../settings/extensions/events-settings.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { Draining } from '../../shutdown/draining.js';
import { buildEventMethods } from './event-methods.js';
import { EventSourceExplorer, type DeclaredSource } from './event-source.explorer.js';
import { EventCursors } from './feeds/event-cursors.js';
import { EventFeed } from './feeds/event-feed.js';
import { EventFeeds } from './feeds/event-feeds.js';
import { buildEventSourceEntry } from './feeds/event-source-entry.js';
import { OpenStreams } from './streams/open-streams.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { Webhooks } from './webhooks.js';

/** What runs while events are served. */
interface Running {
  readonly feeds: EventFeeds;
  readonly streams: OpenStreams;
  readonly webhooks: Webhooks | undefined;
}

/**
 * Serves the event sources of the application as an extension of the protocol.
 *
 * @see the working group's sketch, modelcontextprotocol/experimental-ext-triggers-events
 */
@Injectable()
export class EventsExtension implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('McpEvents');
  #running: Running | undefined;
  #handle: ExtensionHandle | undefined;

  constructor(
    private readonly extensions: McpExtensions,
    private readonly explorer: EventSourceExplorer,
    private readonly relay: Relay,
    private readonly memory: MemoryBudget,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly draining: Draining,
  ) {}

  /** @throws {CatalogueError} where a source cannot be served as it is declared */
  onModuleInit(): void {
    const sources = this.explorer.explore();
    const { events } = this.settings;
    if (events === undefined) return this.#reportUnserved(sources);
    this.#running = this.#serve(sources, events);
    const { streams } = this.#running;
    this.draining.add({ leave: () => streams.close() });
  }

  /** Sources begin when all providers of the application are ready. */
  onApplicationBootstrap(): void {
    this.#running?.feeds.start();
    this.#running?.webhooks?.start();
  }

  /** Ends streams with their result while answers are still written, then what they listened to. */
  async onModuleDestroy(): Promise<void> {
    if (this.#running === undefined) return;
    await this.draining.drain();
    const { feeds, streams, webhooks } = this.#running;
    streams.close();
    webhooks?.stop();
    feeds.stop();
    await webhooks?.close();
  }

  #serve(sources: readonly DeclaredSource[], events: EventsSettings): Running {
    const { auth, callTimeoutMs: timeoutMs, secrets } = this.settings;
    const cursors = new EventCursors(() => this.#handle);
    const built = sources.map((source) => this.#build(source, cursors, events));
    const feeds = new EventFeeds(built, auth?.filterLists === true);
    const streams = new OpenStreams(events, auth !== undefined);
    const endsWithToken = auth?.endStreamsWithToken === true;
    const { relay, memory } = this;
    const bounds = events;
    const webhooks =
      bounds.webhooks &&
      new Webhooks({ feeds, bounds, options: bounds.webhooks, endsWithToken, memory, relay, secrets });
    const subscriptions = new WebhookSubscriptions(feeds, webhooks?.desk);
    this.#handle = this.extensions.register({
      id: 'io.nestjs-mcp/events',
      specVersion: '2026-07-28',
      stability: 'experimental',
      capabilities: { experimental: { events: {} } },
      scopes: built.flatMap(({ entry }) => entry.access?.scopes ?? []),
      methods: [
        ...buildEventMethods({ feeds, streams, bounds: events, endsWithToken, timeoutMs }),
        ...subscriptions.methods,
      ],
    });
    return { feeds, streams, webhooks };
  }

  #build(source: DeclaredSource, cursors: EventCursors, events: EventsSettings): EventFeed {
    const { place, ...declared } = source;
    // Webhooks belong to callers, and on an open server nobody is known.
    const takesWebhooks = events.webhooks !== undefined && this.settings.auth !== undefined;
    try {
      return new EventFeed(
        buildEventSourceEntry({ ...declared, takesWebhooks }),
        cursors,
        events,
        this.relay,
      );
    } catch (error) {
      const explanation = error instanceof Error ? error.message : String(error);
      throw CatalogueError.invalid(`${place}: ${explanation}`, error);
    }
  }

  #reportUnserved(sources: readonly DeclaredSource[]): void {
    if (sources.length === 0) return;
    const places = sources.map(({ place }) => place).join(', ');
    this.#logger.warn(`No client sees ${places}: set the option "events" to serve event sources`);
  }
}
