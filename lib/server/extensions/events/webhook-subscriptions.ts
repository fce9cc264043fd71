import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { ExtensionContext, ExtensionMethod } from '../../dispatch/extension.interface.js';
import type { RequestContext } from '../../context/request-context.js';
import type { MemoryHold } from '../../memory/memory-hold.js';
import { EventError } from './event.error.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { parseName } from './parse-event-params.js';
import { parseSubscribe, parseUnsubscribe, type WebhookAsk } from './webhook-ask.js';

/** The process that handles requests about webhooks: this one, or the sending one. */
export interface WebhookDesk {
  /** @throws {McpError} if it is refused, or cannot be done now */
  run(ask: WebhookAsk, memory?: MemoryHold): Promise<OpenObject>;
}

/** The context of a counted request. */
type CountedContext = ExtensionContext & Partial<Pick<RequestContext, 'memory'>>;

/** The methods by which callers subscribe webhooks. */
export class WebhookSubscriptions {
  readonly methods: readonly ExtensionMethod[] = [
    { method: 'events/subscribe', requiresDeclaration: false, handle: (context) => this.#subscribe(context) },
    {
      method: 'events/unsubscribe',
      requiresDeclaration: false,
      handle: (context) => this.#unsubscribe(context),
    },
  ];

  constructor(
    private readonly feeds: EventFeeds,
    /** Absent if the server sends to no webhooks. */
    private readonly given: WebhookDesk | undefined,
  ) {}

  async #subscribe(context: CountedContext): Promise<OpenObject> {
    // Who may not listen to a source is told that first.
    this.feeds.get(parseName(context.params), context.auth);
    const desk = this.#desk;
    return desk.run(await parseSubscribe(context, this.feeds), context.memory);
  }

  async #unsubscribe(context: ExtensionContext): Promise<OpenObject> {
    return this.#desk.run(parseUnsubscribe(context));
  }

  get #desk(): WebhookDesk {
    if (this.given === undefined) throw EventError.unsupportedDelivery('webhook');
    return this.given;
  }
}
