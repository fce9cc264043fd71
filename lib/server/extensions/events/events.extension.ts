import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { oncePerTick } from '../../../core/async/timers.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ExtensionScopes } from '../../catalog/registries.js';
import type { ClientNotifier, McpNotifier } from '../../notifications/mcp-notifier.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Draining } from '../../shutdown/draining.js';
import type { EventSourceExplorer, DeclaredSource } from './event-source.explorer.js';
import type { Running } from './serve-events.js';
import type { EventFeeds } from './feeds/event-feeds.js';

/** The parts of the server that events need. */
interface EventsServer {
  readonly bus: ClusterBus;
  readonly memory: MemoryBudget;
  readonly draining: Draining;
  readonly settings: ServerSettings;
}

/**
 * Serves the application's event sources as a protocol extension.
 *
 * @see the working group's sketch, modelcontextprotocol/experimental-ext-triggers-events, and SEP-3415
 */
export class EventsExtension implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('McpEvents');
  #running: Running | undefined;
  #announcing: Subscription | undefined;

  constructor(
    private readonly extensions: McpExtensions,
    private readonly explorer: EventSourceExplorer,
    private readonly server: EventsServer,
    private readonly notifier: McpNotifier,
    private readonly scopes: ExtensionScopes,
  ) {}

  /** @throws {CatalogError} if the declaration of a source is invalid */
  async onModuleInit(): Promise<void> {
    const sources = this.explorer.explore();
    const { extensions } = this;
    const { bus, memory, draining, settings } = this.server;
    const { events } = settings;
    if (events === undefined) return this.#reportUnserved(sources);
    // The implementation is loaded only if events are served.
    const { serveEvents } = await import('./serve-events.js');
    this.#running = serveEvents({ sources, events, extensions, bus, memory, settings });
    const { declared, streams } = this.#running;
    for (const { access } of declared) this.require(access?.scopes);
    draining.add({ disconnect: () => streams.close() });
  }

  /** The sources, or `undefined` if events are not served. */
  get sources(): Pick<Running, 'feeds' | 'factory'> | undefined {
    return this.#running;
  }

  /** Starts the sources, now that all providers are ready. */
  onApplicationBootstrap(): void {
    if (this.#running === undefined) return;
    const { feeds, webhooks } = this.#running;
    feeds.start();
    webhooks?.start();
    this.#announcing = notifyListChanges(feeds, this.notifier);
  }

  /** Ends streams with a result while responses can still be written, and then ends their sources. */
  async onModuleDestroy(): Promise<void> {
    if (this.#running === undefined) return;
    this.#announcing?.unsubscribe();
    await this.server.draining.drain();
    const { feeds, streams, webhooks } = this.#running;
    streams.close();
    webhooks?.stop();
    feeds.stop();
    await webhooks?.close();
  }

  /** Adds scopes to the metadata and the challenges. */
  require(scopes: readonly string[] = []): void {
    if (scopes.length > 0) this.scopes.add(scopes);
  }

  #reportUnserved(sources: readonly DeclaredSource[]): void {
    if (sources.length === 0) return;
    const locations = sources.map(({ location }) => location).join(', ');
    this.#logger.warn(`No client sees ${locations}: set the option "events" to serve event sources`);
  }
}

/** Notifies clients of changes to the list, once per turn of the event loop. */
function notifyListChanges(feeds: EventFeeds, notifier: ClientNotifier): Subscription {
  return feeds.changes$.subscribe(oncePerTick(() => notifier.eventsListChanged()));
}
