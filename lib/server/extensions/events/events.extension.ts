import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { EVENTS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import type { ExtensionHandle } from '../../dispatch/extension-handle.interface.js';
import { McpExtensions } from '../../dispatch/mcp-extensions.js';
import { MemoryBudget } from '../../memory/memory-budget.js';
import { Relay } from '../../relay/relay.js';
import { AddedScopes } from '../../catalogue/added-scopes.js';
import { McpNotifier } from '../../notifications/mcp-notifier.js';
import type { EventsSettings } from '../../settings/extensions/events-settings.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { Draining } from '../../shutdown/draining.js';
import { buildEventMethods } from './event-methods.js';
import { EventSourceExplorer, type DeclaredSource } from './event-source.explorer.js';
import { announceChanges } from './feeds/announce-changes.js';
import { EventCursors } from './feeds/event-cursors.js';
import { EventFeeds } from './feeds/event-feeds.js';
import { FeedFactory } from './feeds/feed-factory.js';
import { OpenStreams } from './streams/open-streams.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { Webhooks } from './webhooks.js';

/** This package's own extension for events. The one of the working group exists too. */
const OWN_ID = 'io.nestjs-mcp/events';
const SETTINGS = { listChanged: true } as const;

/** What runs while events are served. */
interface Running {
  readonly feeds: EventFeeds;
  readonly factory: FeedFactory;
  readonly streams: OpenStreams;
  readonly webhooks: Webhooks | undefined;
}

/**
 * Serves the event sources of the application as an extension of the protocol.
 *
 * @see the working group's sketch, modelcontextprotocol/experimental-ext-triggers-events, and SEP-3415
 */
@Injectable()
export class EventsExtension implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('McpEvents');
  #running: Running | undefined;
  #handle: ExtensionHandle | undefined;
  #announcing: Subscription | undefined;

  constructor(
    private readonly extensions: McpExtensions,
    private readonly explorer: EventSourceExplorer,
    private readonly relay: Relay,
    private readonly memory: MemoryBudget,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly draining: Draining,
    private readonly notifier: McpNotifier,
    private readonly scopes: AddedScopes,
  ) {}

  /** @throws {CatalogueError} if a source cannot be served as it is declared */
  onModuleInit(): void {
    const sources = this.explorer.explore();
    const { events } = this.settings;
    if (events === undefined) return this.#reportUnserved(sources);
    this.#running = this.#serve(sources, events);
    const { streams } = this.#running;
    this.draining.add({ leave: () => streams.close() });
  }

  /** The sources. Returns `undefined` if events are not served. */
  get sources(): Pick<Running, 'feeds' | 'factory'> | undefined {
    return this.#running;
  }

  /** Sources begin when all providers of the application are ready. */
  onApplicationBootstrap(): void {
    if (this.#running === undefined) return;
    const { feeds, webhooks } = this.#running;
    feeds.start();
    webhooks?.start();
    this.#announcing = announceChanges(feeds, this.notifier);
  }

  /** Ends streams with their result while answers can still be written, and then their sources. */
  async onModuleDestroy(): Promise<void> {
    if (this.#running === undefined) return;
    this.#announcing?.unsubscribe();
    await this.draining.drain();
    const { feeds, streams, webhooks } = this.#running;
    streams.close();
    webhooks?.stop();
    feeds.stop();
    await webhooks?.close();
  }

  #serve(sources: readonly DeclaredSource[], events: EventsSettings): Running {
    const { auth, callTimeoutMs: timeoutMs, secrets, pageSize } = this.settings;
    const cursors = new EventCursors(() => this.#handle);
    // Webhooks belong to callers, and on an open server nobody is known.
    const takesWebhooks = events.webhooks !== undefined && auth !== undefined;
    const factory = new FeedFactory({ cursors, bounds: events, relay: this.relay, takesWebhooks });
    const built = sources.map(({ place, ...declared }) => factory.build(declared, place));
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
      id: OWN_ID,
      specVersion: '2026-07-28',
      stability: 'experimental',
      capabilities: { experimental: { events: {} }, events: SETTINGS },
      methods: [
        ...buildEventMethods({ feeds, streams, bounds: events, pageSize, endsWithToken, timeoutMs }),
        ...subscriptions.methods,
      ],
    });
    this.extensions.register({ id: EVENTS_EXTENSION, published: SETTINGS });
    for (const { entry } of built) this.require(entry.access?.scopes);
    return { feeds, factory, streams, webhooks };
  }

  /** Lets clients learn of scopes by the metadata and the challenges. */
  require(scopes: readonly string[] = []): void {
    if (scopes.length > 0) this.scopes.add(scopes);
  }

  #reportUnserved(sources: readonly DeclaredSource[]): void {
    if (sources.length === 0) return;
    const places = sources.map(({ place }) => place).join(', ');
    this.#logger.warn(`No client sees ${places}: set the option "events" to serve event sources`);
  }
}
