import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { onceATurn } from '../../../core/waiting/once-a-turn.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { AddedScopes } from '../../catalog/registries.js';
import type { McpNotifier } from '../../notifications/mcp-notifier.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Draining } from '../../shutdown/draining.js';
import type { ClientNotifier } from '../../notifications/client-notifier.js';
import type { EventSourceExplorer, DeclaredSource } from './event-source.explorer.js';
import type { Running } from './serve-events.js';
import type { EventFeeds } from './feeds/event-feeds.js';

/** What is needed of the server. */
interface EventsServer {
  readonly bus: ClusterBus;
  readonly memory: MemoryBudget;
  readonly draining: Draining;
  readonly settings: ServerSettings;
}

/**
 * Serves the event sources of the application as an extension of the protocol.
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
    private readonly scopes: AddedScopes,
  ) {}

  /** @throws {CatalogError} if a source cannot be served as it is declared */
  async onModuleInit(): Promise<void> {
    const sources = this.explorer.explore();
    const { extensions } = this;
    const { bus, memory, draining, settings } = this.server;
    const { events } = settings;
    if (events === undefined) return this.#reportUnserved(sources);
    // What serves events is loaded for those who do, before anybody else can ask for it.
    const { serveEvents } = await import('./serve-events.js');
    this.#running = serveEvents({ sources, events, extensions, bus, memory, settings });
    const { declared, streams } = this.#running;
    for (const { access } of declared) this.require(access?.scopes);
    draining.add({ disconnect: () => streams.close() });
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
    await this.server.draining.drain();
    const { feeds, streams, webhooks } = this.#running;
    streams.close();
    webhooks?.stop();
    feeds.stop();
    await webhooks?.close();
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

/** Announces each change of the list to clients. Changes of one turn are announced together. */
function announceChanges(feeds: EventFeeds, notifier: ClientNotifier): Subscription {
  return feeds.changes$.subscribe(onceATurn(() => notifier.eventsListChanged()));
}
