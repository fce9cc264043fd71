import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { formatCursor } from '../../../core/protocol/cursor.js';
import { MetaKey } from '../../../core/protocol/meta-keys.js';
import { inTime } from '../../../core/waiting/in-time.js';
import { whenTokenEnds } from '../../context/authentication.js';
import { TimeLimitError } from '../../methods/time-limit.js';
import type { ExtensionContext, ExtensionMethod } from '../../dispatch/extension.interface.js';
import type { EventDeliveryMode, EventRecipient } from '../../settings/extensions/event-source-options.js';
import type { EventsSettings } from '../../settings/extensions/events-options.js';
import type { RequestContext } from '../../context/request-context.js';
import type { MemoryHold } from '../../memory/memory-budget.js';
import { EventError } from './event.error.js';
import { buildOccurrence, type EventFeed } from './feeds/event-feed.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { assertGoesOn, assertOffered, findPosition, type FoundPosition } from './feeds/find-position.js';
import type { KeptEvent } from './feeds/replay-log.js';
import { parseArguments, parseMaxEvents, parseName, parsePage, parsePosition } from './parse-event-params.js';
import { EventStream, type OpenStreams } from './streams/event-stream.js';
import { parseSubscribe, parseUnsubscribe, type WebhookAsk } from './subscribe-params.js';

/** The parts of the methods. */
interface EventMethodParts {
  readonly feeds: EventFeeds;
  readonly streams: OpenStreams;
  readonly bounds: EventsSettings;
  /** Events that one page of the list has at most. */
  readonly pageSize: number;
  /** Whether a stream ends with the token that it was opened by. */
  readonly endsWithToken: boolean;
  /** How long it may take to open a stream; no limit by default. */
  readonly timeoutMs?: number | undefined;
}

/** The parameters of a client. */
interface Subscription {
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly position: FoundPosition;
}

/** Builds the methods by which clients come to the events themselves. */
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

async function poll(context: ExtensionContext, { feeds, bounds }: EventMethodParts): Promise<OpenObject> {
  const { feed, recipient, position } = await subscribe(context, feeds, 'poll');
  const most = Math.min(parseMaxEvents(context.params) ?? bounds.pollSize, bounds.pollSize);
  const events: KeptEvent[] = [];
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
    nextPollMs: bounds.pollIntervalMs,
    nextPollSeconds: Math.ceil(bounds.pollIntervalMs / 1000),
  };
}

async function stream(context: ExtensionContext, parts: EventMethodParts): Promise<OpenObject> {
  const { feeds, streams, endsWithToken, timeoutMs } = parts;
  const subscribed = subscribe(context, feeds, 'push');
  const subscription = await (timeoutMs === undefined
    ? subscribed
    : inTime(subscribed, timeoutMs, () => new TimeLimitError(timeoutMs)));
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
  assertOffered(feed, mode);
  const wanted = parsePosition(params);
  const given = await parseArguments(feed.entry, context);
  await feed.reach(wanted.cursor);
  const position = findPosition(feed, wanted);
  assertGoesOn(feed, position);
  return { feed, recipient: { arguments: given, claims: auth.claims }, position };
}

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
