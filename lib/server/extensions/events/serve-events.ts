import { EVENTS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import type { Keyring } from '../../../core/sealing/keyring.js';
import type { ExtensionHandle } from '../../dispatch/extension.interface.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { EventsSettings, WebhookSettings } from '../../settings/extensions/events-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { buildEventMethods, WebhookSubscriptions, type WebhookDesk } from './event-methods.js';
import type { DeclaredSource } from './event-source.explorer.js';
import { EventCursors } from './feeds/event-cursors.js';
import { EventFeeds, FeedFactory } from './feeds/event-feeds.js';
import type { EventSourceEntry } from './feeds/event-source-entry.js';
import { SharedWebhooks } from './cluster-webhooks.js';
import { OpenStreams } from './streams/event-stream.js';
import { WebhookOffice } from './webhook-subscriptions.js';
import { WebhookRecords, WebhookSender } from './persisted-webhooks.js';
import { QueuedWebhookDelivery } from './webhooks/http-delivery.js';

/** Milliseconds that processes have to inform each other, in addition to the time of the receiver. */
const TELLING_MS = 10_000;

/** The parts of webhooks. */
interface WebhooksParts {
  readonly feeds: EventFeeds;
  readonly bounds: EventsSettings;
  readonly options: WebhookSettings;
  readonly endsWithToken: boolean;
  readonly memory: MemoryBudget;
  readonly bus: ClusterBus;
  readonly keyring: Keyring;
}

/** The webhooks of a server: this process sends them, or one of several does. */
class Webhooks {
  readonly desk: WebhookDesk;
  readonly #delivery: QueuedWebhookDelivery;
  readonly #office: WebhookOffice;
  readonly #shared: SharedWebhooks | undefined;

  constructor(parts: WebhooksParts) {
    const { feeds, bounds, options, endsWithToken, memory } = parts;
    this.#delivery = new QueuedWebhookDelivery(options);
    this.#office = new WebhookOffice({ feeds, bounds, delivery: this.#delivery, endsWithToken, memory });
    this.#shared = this.#share(parts);
    this.desk = this.#shared ?? this.#office;
  }

  start(): void {
    this.#shared?.start();
  }

  /** Hands nothing over any more. */
  stop(): void {
    this.#office.close();
  }

  /** Sends what is queued as long as that may take, then leaves the rest to another process. */
  async close(): Promise<void> {
    await this.#delivery.close();
    await this.#shared?.close();
  }

  #share({ bus, options, keyring }: WebhooksParts): SharedWebhooks | undefined {
    const { shared } = bus;
    if (shared === undefined) return undefined;
    const { maxTtlMs, timeoutMs } = options;
    const sender = new WebhookSender({
      office: this.#office,
      delivery: this.#delivery,
      records: new WebhookRecords(shared, keyring, maxTtlMs),
    });
    return new SharedWebhooks({ bus, shared, sender, keyring, timeoutMs: timeoutMs + TELLING_MS });
  }
}

/** This package's own extension for events. The one of the working group exists too. */
const OWN_ID = 'io.nestjs-mcp/events';
const SETTINGS = { listChanged: true } as const;

/** What events are served with. */
export interface EventsParts {
  readonly sources: readonly DeclaredSource[];
  readonly events: EventsSettings;
  readonly extensions: McpExtensions;
  readonly bus: ClusterBus;
  readonly memory: MemoryBudget;
  readonly settings: ServerSettings;
}

/** What runs while events are served. */
export interface Running {
  readonly feeds: EventFeeds;
  readonly factory: FeedFactory;
  readonly streams: OpenStreams;
  readonly webhooks: Webhooks | undefined;
  /** The sources that the application declares. */
  readonly declared: readonly EventSourceEntry[];
}

/**
 * Serves the declared sources as an extension of the protocol.
 *
 * @throws {CatalogError} if a source cannot be served as it is declared
 */
export function serveEvents({ sources, events, extensions, bus, memory, settings }: EventsParts): Running {
  const { auth, callTimeoutMs: timeoutMs, keyring, pageSize } = settings;
  const cursors = new EventCursors(() => handle);
  // Webhooks belong to callers, and on an open server nobody is known.
  const takesWebhooks = events.webhooks !== undefined && auth !== undefined;
  const factory = new FeedFactory({ cursors, bounds: events, bus, takesWebhooks });
  const built = sources.map(({ place, ...declared }) => factory.build(declared, place));
  const feeds = new EventFeeds(built, auth?.filterLists === true);
  const streams = new OpenStreams(events, auth !== undefined);
  const endsWithToken = auth?.endStreamsWithToken === true;
  const bounds = events;
  const webhooks =
    bounds.webhooks &&
    new Webhooks({ feeds, bounds, options: bounds.webhooks, endsWithToken, memory, bus, keyring });
  const subscriptions = new WebhookSubscriptions(feeds, webhooks?.desk);
  const handle: ExtensionHandle = extensions.register({
    id: OWN_ID,
    specVersion: '2026-07-28',
    stability: 'experimental',
    capabilities: { experimental: { events: {} }, events: SETTINGS },
    methods: [
      ...buildEventMethods({ feeds, streams, bounds: events, pageSize, endsWithToken, timeoutMs }),
      ...subscriptions.methods,
    ],
  });
  extensions.register({ id: EVENTS_EXTENSION, published: SETTINGS });
  return { feeds, factory, streams, webhooks, declared: built.map(({ entry }) => entry) };
}
