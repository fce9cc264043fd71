import { EVENTS_EXTENSION } from '../../../core/protocol/meta-keys.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import type { ExtensionHandle } from '../../dispatch/extension.interface.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { EventsSettings, WebhookSettings } from '../../settings/extensions/events-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { buildEventMethods, WebhookMethods, type WebhookHandler } from './event-methods.js';
import type { DeclaredSource } from './event-source.explorer.js';
import { EventCursors } from './feeds/event-cursors.js';
import { EventFeeds, EventFeedFactory } from './feeds/event-feeds.js';
import type { EventSourceEntry } from './feeds/event-source-entry.js';
import { ClusterWebhooks } from './cluster-webhooks.js';
import { OpenStreams } from './streams/event-stream.js';
import { WebhookSubscriptions } from './webhook-subscriptions.js';
import { WebhookStore, PersistedWebhooks } from './persisted-webhooks.js';
import { HttpDelivery } from './webhooks/http-delivery.js';

/** Extra milliseconds for messages between processes, on top of the receiver's timeout. */
const BUS_TIMEOUT_MS = 10_000;

/** The parts of webhooks. */
interface WebhooksParts {
  readonly feeds: EventFeeds;
  readonly limits: EventsSettings;
  readonly options: WebhookSettings;
  readonly endsWithToken: boolean;
  readonly memory: MemoryBudget;
  readonly bus: ClusterBus;
  readonly keyring: Keyring;
}

/** The webhooks of a server, delivered by this process or by one process of the cluster. */
class Webhooks {
  readonly handler: WebhookHandler;
  readonly #delivery: HttpDelivery;
  readonly #subscriptions: WebhookSubscriptions;
  readonly #shared: ClusterWebhooks | undefined;

  constructor(parts: WebhooksParts) {
    const { feeds, limits, options, endsWithToken, memory } = parts;
    this.#delivery = new HttpDelivery(options);
    this.#subscriptions = new WebhookSubscriptions({
      feeds,
      limits,
      delivery: this.#delivery,
      endsWithToken,
      memory,
    });
    this.#shared = this.#share(parts);
    this.handler = this.#shared ?? this.#subscriptions;
  }

  start(): void {
    this.#shared?.start();
  }

  /** Stops feeding events to the delivery. */
  stop(): void {
    this.#subscriptions.close();
  }

  /** Sends queued messages within the time limit, and leaves the rest to another process. */
  async close(): Promise<void> {
    await this.#delivery.close();
    await this.#shared?.close();
  }

  #share({ bus, options, keyring }: WebhooksParts): ClusterWebhooks | undefined {
    const { shared } = bus;
    if (shared === undefined) return undefined;
    const { maxTtlMs, timeoutMs } = options;
    const webhooks = new PersistedWebhooks({
      subscriptions: this.#subscriptions,
      delivery: this.#delivery,
      store: new WebhookStore(shared, keyring, maxTtlMs),
    });
    return new ClusterWebhooks({ bus, shared, webhooks, keyring, timeoutMs: timeoutMs + BUS_TIMEOUT_MS });
  }
}

/** This package's extension id for events, served alongside the working group's id. */
const OWN_ID = 'io.nestjs-mcp/events';
const SETTINGS = { listChanged: true } as const;

/** The parts that serve events. */
export interface EventsParts {
  readonly sources: readonly DeclaredSource[];
  readonly events: EventsSettings;
  readonly extensions: McpExtensions;
  readonly bus: ClusterBus;
  readonly memory: MemoryBudget;
  readonly settings: ServerSettings;
}

/** The running parts of the events extension. */
export interface Running {
  readonly feeds: EventFeeds;
  readonly factory: EventFeedFactory;
  readonly streams: OpenStreams;
  readonly webhooks: Webhooks | undefined;
  /** The sources that the application declares. */
  readonly declared: readonly EventSourceEntry[];
}

/**
 * Serves the declared sources as a protocol extension.
 *
 * @throws {CatalogError} if the declaration of a source is invalid
 */
export function serveEvents({ sources, events, extensions, bus, memory, settings }: EventsParts): Running {
  const { auth, callTimeoutMs: timeoutMs, keyring, pageSize } = settings;
  const cursors = new EventCursors(() => handle);
  // A webhook belongs to a caller, but an open server cannot identify its callers.
  const hasWebhooks = events.webhooks !== undefined && auth !== undefined;
  const factory = new EventFeedFactory({ cursors, limits: events, bus, hasWebhooks });
  const built = sources.map(({ location, ...declared }) => factory.build(declared, location));
  const feeds = new EventFeeds(built, auth?.filterLists === true);
  const streams = new OpenStreams(events, auth !== undefined);
  const endsWithToken = auth?.endStreamsWithToken === true;
  const limits = events;
  const webhooks =
    limits.webhooks &&
    new Webhooks({ feeds, limits, options: limits.webhooks, endsWithToken, memory, bus, keyring });
  const webhookMethods = new WebhookMethods(feeds, webhooks?.handler);
  const handle: ExtensionHandle = extensions.register({
    id: OWN_ID,
    specVersion: '2026-07-28',
    stability: 'experimental',
    capabilities: { experimental: { events: {} }, events: SETTINGS },
    methods: [
      ...buildEventMethods({ feeds, streams, limits: events, pageSize, endsWithToken, timeoutMs }),
      ...webhookMethods.methods,
    ],
  });
  extensions.register({ id: EVENTS_EXTENSION, published: SETTINGS });
  return { feeds, factory, streams, webhooks, declared: built.map(({ entry }) => entry) };
}
