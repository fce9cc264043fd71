import { HttpDelivery } from '../../../lib/server/extensions/events/webhooks/http-delivery.js';
import type { WebhookChange } from '../../../lib/server/extensions/events/webhooks/webhook-delivery.interface.js';
import { WEBHOOKS, type WebhookOptions } from '../../../lib/server/settings/extensions/events-options.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { until } from '../../support/until.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../support/webhook-receiver.js';

/** What tests allow, and how soon things happen in them. */
const QUICK: WebhookOptions = {
  allowPrivateAddresses: true,
  allowHttp: true,
  isTrusted: () => true,
  certificateAuthorities: [SELF_SIGNED.cert],
  timeoutMs: 2000,
  attempts: 3,
  backoffMs: 5,
  maxBackoffMs: 20,
  minTtlMs: 1,
  closeTimeoutMs: 200,
};

/** A delivery and its receivers, which end together. */
export class WebhookFixture {
  readonly changes: WebhookChange[] = [];
  readonly delivery: HttpDelivery;
  readonly #receivers: WebhookReceiver[] = [];

  constructor(options: WebhookOptions = {}) {
    this.delivery = new HttpDelivery(WEBHOOKS.build({ ...QUICK, ...options }));
    this.delivery.changes$.subscribe((change) => this.changes.push(change));
  }

  /** Starts a receiver and subscribes it. */
  async open(id = 'sub_1', options?: Parameters<typeof WebhookReceiver.start>[0]): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start(options);
    this.#receivers.push(receiver);
    await this.delivery.add({ id, url: receiver.url, secret: WEBHOOK_SECRET });
    return receiver;
  }

  /** Delivers events that are numbered, with a cursor of the same number. */
  send(first: number, last = first, id = 'sub_1'): boolean {
    let isQueued = false;
    for (let n = first; n <= last; n += 1) {
      isQueued = this.delivery.deliver(id, { id: `evt_${n}`, body: { n }, cursor: String(n) });
    }
    return isQueued;
  }

  /** The kinds of changes so far. */
  get kinds(): string[] {
    return this.changes.map(({ kind }) => kind);
  }

  /** The events that were lost so far. */
  get lost(): number {
    return this.changes.reduce((sum, change) => sum + (change.kind === 'lost' ? change.events : 0), 0);
  }

  /** Waits for a change of this kind and gives it. */
  async changed(kind: WebhookChange['kind']): Promise<WebhookChange> {
    return until(() => this.changes.find((change) => change.kind === kind), `a change "${kind}"`);
  }

  async close(): Promise<void> {
    await this.delivery.close();
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
  }
}
