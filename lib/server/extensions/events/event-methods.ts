import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { formatCursor } from '../../../core/protocol/cursor.js';
import { MetaKey } from '../../../core/protocol/meta-keys.js';
import { withTimeout } from '../../../core/async/timeouts.js';
import { whenTokenEnds } from '../../context/authentication.js';
import { TimeLimitError } from '../../methods/time-limit.js';
import type { ExtensionContext, ExtensionMethod } from '../../dispatch/extension.interface.js';
import type { EventDeliveryMode, EventRecipient } from '../../settings/extensions/event-source-options.js';
import type { EventsSettings } from '../../settings/extensions/events-options.js';
import type { RequestContext } from '../../context/request-context.js';
import type { ClusterWebhooks } from './cluster-webhooks.js';
import { EventError } from './event.error.js';
import { buildOccurrence, type EventFeed } from './feeds/event-feed.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import {
  assertNotEnded,
  assertDeliveryMode,
  findPosition,
  type FoundPosition,
} from './feeds/find-position.js';
import type { LoggedEvent } from './feeds/replay-log.js';
import { parseArguments, parseMaxEvents, parseName, parsePage, parsePosition } from './parse-event-params.js';
import { EventStream, type OpenStreams } from './streams/event-stream.js';
import { parseSubscribe, parseUnsubscribe } from './subscribe-params.js';
import type { WebhookSubscriptions } from './webhook-subscriptions.js';

/** The parts of the methods. */
interface EventMethodParts {
  readonly feeds: EventFeeds;
  readonly streams: OpenStreams;
  readonly limits: EventsSettings;
  /** The maximum number of events on one page of the list. */
  readonly pageSize: number;
  /** Whether a stream ends when the token that opened it expires. */
  readonly endsWithToken: boolean;
  /** How long a stream may take to open, in milliseconds. @default no limit */
  readonly timeoutMs?: number | undefined;
}

/** A client's parameters. */
interface Subscription {
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly position: FoundPosition;
}

/** Builds the methods that list, poll and stream events. */
export function buildEventMethods(parts: EventMethodParts): readonly ExtensionMethod[] {
  return [
    { method: 'events/list', requiresDeclaration: false, handle: (context) => list(context, parts) },
    { method: 'events/poll', requiresDeclaration: false, handle: (context) => poll(context, parts) },
    {
      method: 'events/stream',
      requiresDeclaration: false,
      longRunning: true,
      handle: (context) => stream(context, parts),
    },
  ];
}

function list({ params, auth }: ExtensionContext, { feeds, pageSize }: EventMethodParts): OpenObject {
  const { events, next } = feeds.list(auth, { after: parsePage(params), size: pageSize });
  return { events, ...(next !== undefined && { nextCursor: formatCursor('events', next) }) };
}

async function poll(context: ExtensionContext, { feeds, limits }: EventMethodParts): Promise<OpenObject> {
  const { feed, recipient, position } = await subscribe(context, feeds, 'poll');
  const most = Math.min(parseMaxEvents(context.params) ?? limits.pollSize, limits.pollSize);
  const events: LoggedEvent[] = [];
  let { after } = position;
  for (let event = feed.log.findAfter(after); event !== undefined; event = feed.log.findAfter(after)) {
    if (events.length === most) break;
    if (feed.isFor(recipient, event)) events.push(event);
    after = event.number;
  }
  return {
    events: events.map((event) => buildOccurrence(feed, event)),
    cursor: feed.formatCursor(after, position.known),
    truncated: position.isTruncated,
    hasMore: after < feed.log.last,
    nextPollMs: limits.pollIntervalMs,
    nextPollSeconds: Math.ceil(limits.pollIntervalMs / 1000),
  };
}

async function stream(context: ExtensionContext, parts: EventMethodParts): Promise<OpenObject> {
  const { feeds, streams, endsWithToken, timeoutMs } = parts;
  const subscribed = subscribe(context, feeds, 'push');
  const subscription = await (timeoutMs === undefined
    ? subscribed
    : withTimeout(subscribed, timeoutMs, () => new TimeLimitError(timeoutMs)));
  if (context.bufferedBytes === Number.POSITIVE_INFINITY) throw EventError.unsupportedDelivery('push');
  await context.operation?.noteListening();
  const opened = new EventStream({ context, ...subscription });
  const { claims } = context.auth;
  const stopClock =
    endsWithToken && claims !== undefined
      ? whenTokenEnds(claims, () => opened.terminate(EventError.tokenEnded()))
      : () => {};
  await streams.run(opened).finally(stopClock);
  return { _meta: { [MetaKey.subscriptionId]: context.id } };
}

async function subscribe(
  context: ExtensionContext,
  feeds: EventFeeds,
  mode: EventDeliveryMode,
): Promise<Subscription> {
  const { params, auth } = context;
  const feed = feeds.get(parseName(params), auth);
  assertDeliveryMode(feed, mode);
  const wanted = parsePosition(params);
  const given = await parseArguments(feed.entry, context);
  await feed.catchUp(wanted.cursor);
  const position = findPosition(feed, wanted);
  assertNotEnded(feed, position);
  return { feed, recipient: { arguments: given, claims: auth.claims }, position };
}

/** Handles webhook requests, in the process that delivers webhooks or in this one. */
export type WebhookHandler = ClusterWebhooks | WebhookSubscriptions;

/** The context of a request whose memory is counted. */
type CountedContext = ExtensionContext & Partial<Pick<RequestContext, 'memory'>>;

/** The methods that subscribe and unsubscribe webhooks. */
export class WebhookMethods {
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
    /** Absent if the server has no webhooks. */
    private readonly handler: WebhookHandler | undefined,
  ) {}

  async #subscribe(context: CountedContext): Promise<OpenObject> {
    // The scope check comes first, so it takes precedence over other errors.
    this.feeds.get(parseName(context.params), context.auth);
    const handler = this.#requiredHandler;
    return handler.run(await parseSubscribe(context, this.feeds), context.memory);
  }

  async #unsubscribe(context: ExtensionContext): Promise<OpenObject> {
    return this.#requiredHandler.run(parseUnsubscribe(context));
  }

  get #requiredHandler(): WebhookHandler {
    if (this.handler === undefined) throw EventError.unsupportedDelivery('webhook');
    return this.handler;
  }
}
