import type { Keyring } from '../../../core/sealing/keyring.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { Relay } from '../../relay/relay.js';
import type { EventsSettings } from '../../settings/extensions/events-settings.js';
import type { WebhookOptions } from '../../settings/extensions/webhook-options.interface.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { SharedWebhooks } from './shared-webhooks.js';
import { WebhookOffice } from './webhook-office.js';
import { WebhookRecords } from './webhook-records.js';
import { WebhookSender } from './webhook-sender.js';
import type { WebhookDesk } from './webhook-subscriptions.js';
import { QueuedWebhookDelivery } from './webhooks/queued-webhook-delivery.js';
import { buildWebhookSettings } from './webhooks/webhook-settings.js';

/** Milliseconds that processes have to inform each other, in addition to the time of the receiver. */
const TELLING_MS = 10_000;

/** The parts of webhooks. */
export interface WebhooksParts {
  readonly feeds: EventFeeds;
  readonly bounds: EventsSettings;
  readonly options: WebhookOptions;
  readonly endsWithToken: boolean;
  readonly memory: MemoryBudget;
  readonly relay: Relay;
  readonly keyring: Keyring;
}

/** The webhooks of a server: this process sends them, or one of several does. */
export class Webhooks {
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

  #share({ relay, options, keyring }: WebhooksParts): SharedWebhooks | undefined {
    const { shared } = relay;
    if (shared === undefined) return undefined;
    const { maximumTtlMs, timeoutMs } = buildWebhookSettings(options);
    const sender = new WebhookSender({
      office: this.#office,
      delivery: this.#delivery,
      records: new WebhookRecords(shared, keyring, maximumTtlMs),
    });
    return new SharedWebhooks({ relay, shared, sender, keyring, timeoutMs: timeoutMs + TELLING_MS });
  }
}
