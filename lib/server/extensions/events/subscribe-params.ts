import { createHash } from 'node:crypto';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Claims } from '../../../core/oauth/claims.js';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { LogSubject } from '../../log/format-line.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import { EventError } from './event.error.js';
import { assertOffered, type WantedPosition } from './feeds/find-position.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { parseArguments, parseName, parsePosition } from './parse-event-params.js';

/** What a caller wants of a webhook, as JSON has it: whichever process sends can do it. */
export type WebhookAsk = SubscribeAsk | UnsubscribeAsk;

export interface SubscribeAsk {
  readonly kind: 'subscribe';
  readonly id: string;
  readonly identity: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly ttlMs?: number;
  /** As the source takes them. */
  readonly given: OpenObject;
  readonly claims?: Claims;
  readonly position: { readonly [Member in keyof WantedPosition]?: WantedPosition[Member] };
}

interface UnsubscribeAsk {
  readonly kind: 'unsubscribe';
  readonly id: string;
  readonly name: string;
  readonly claims?: Claims;
}

/** Names the caller and the subject, for the log. */
export function describeAsk({ kind, name, claims }: WebhookAsk): LogSubject {
  return { authentication: { claims }, method: `events/${kind}`, params: { name } };
}

/**
 * Reads the request that begins a webhook, or refreshes it.
 *
 * @throws {McpError} if it is not as it must be
 * @throws {EventError} if there is no such source, it has no webhooks, or the caller is not known
 * @throws {AuthError} if the caller lacks a scope of the source
 */
export async function parseSubscribe(context: ExtensionContext, feeds: EventFeeds): Promise<SubscribeAsk> {
  const { params, auth, identity } = context;
  const feed = feeds.get(parseName(params), auth);
  const { entry } = feed;
  assertNoId(params);
  const url = parseDeliveryUrl(params);
  const secret = parseSecret(params);
  if (identity === undefined) throw EventError.unknownCaller();
  assertOffered(feed, 'webhook');
  const { cursor, maxAgeMs } = parsePosition(params);
  const given = await parseArguments(entry, context);
  const ttlMs = parseTtl(params);
  const { name } = entry;
  const { claims } = auth;
  return {
    kind: 'subscribe',
    id: formatWebhookId({ identity, name, url, arguments: params['arguments'] }),
    identity,
    name,
    url,
    secret,
    given,
    position: { ...(cursor !== undefined && { cursor }), ...(maxAgeMs !== undefined && { maxAgeMs }) },
    ...(ttlMs !== undefined && { ttlMs }),
    ...(claims && { claims }),
  };
}

/**
 * Reads the request that ends a webhook.
 *
 * @throws {McpError} if it is not as it must be
 * @throws {EventError} if the caller is not known
 */
export function parseUnsubscribe({ params, auth, identity }: ExtensionContext): UnsubscribeAsk {
  const name = parseName(params);
  const url = parseDeliveryUrl(params);
  if (identity === undefined) throw EventError.unknownCaller();
  return {
    kind: 'unsubscribe',
    id: formatWebhookId({ identity, name, url, arguments: params['arguments'] }),
    name,
    ...(auth.claims && { claims: auth.claims }),
  };
}

/** The identity of a webhook subscription: its owner, its source with arguments, and its receiver. */
interface WebhookKey {
  readonly identity: string;
  readonly name: string;
  readonly url: string;
  /** As the client sent them. */
  readonly arguments: unknown;
}

/**
 * Reads the URL of a webhook.
 *
 * @throws {McpError} -32602 if there is none
 * @throws {EventError} -32014 if another kind of delivery is asked for
 */
export function parseDeliveryUrl({ delivery }: Params): string {
  if (!isObject(delivery))
    throw McpError.invalidParams('"delivery" must be an object with "mode", "url" and "secret"');
  const { mode = 'webhook', url } = delivery;
  if (typeof mode !== 'string') throw McpError.invalidParams('"delivery.mode" must be "webhook"');
  // The other ways need no subscription.
  if (mode !== 'webhook') throw EventError.unsupportedDelivery(mode);
  if (typeof url === 'string' && url !== '') return url;
  throw McpError.invalidParams('"delivery.url" must be a URL');
}

/**
 * Reads the secret that signs what is sent to a webhook.
 *
 * @throws {McpError} -32602 if there is none
 */
export function parseSecret({ delivery }: Params): string {
  const secret = isObject(delivery) ? delivery['secret'] : undefined;
  if (typeof secret === 'string') return secret;
  throw McpError.invalidParams('"delivery.secret" must be "whsec_" and 24 to 64 random bytes in base64');
}

/** Reads how long a subscription should live; what cannot be granted is the server's choice, so nothing is refused. `null` asks for no end. */
export function parseTtl({ ttlMs }: Params): number | undefined {
  if (ttlMs === null) return Number.MAX_SAFE_INTEGER;
  return typeof ttlMs === 'number' && Number.isFinite(ttlMs) && ttlMs > 0 ? ttlMs : undefined;
}

/**
 * Refuses an id of the client's: subscriptions are told apart by what they are.
 *
 * @throws {McpError} -32602
 */
export function assertNoId({ id }: Params): void {
  if (id === undefined) return;
  throw McpError.invalidParams('the server gives the "id": leave it out');
}

/**
 * Names a subscription by what identifies it. The name reveals nothing, and opens nothing to who knows it.
 *
 * @throws {McpError} -32602 if the arguments cannot be written as JSON
 */
export function formatWebhookId({ identity, name, url, arguments: given }: WebhookKey): string {
  const key = JSON.stringify([identity, name, url, formatCanonically(given ?? {})]);
  const hash = createHash('sha256').update(key).digest().subarray(0, 16);
  return `sub_${hash.toString('base64url')}`;
}

/** Writes JSON in which the order of members makes no difference. */
function formatCanonically(value: unknown): string {
  try {
    return JSON.stringify(value, (_name, member: unknown) =>
      isObject(member) ? sortMembers(member) : member,
    );
  } catch {
    throw McpError.invalidParams('"arguments" are nested too deeply');
  }
}

function sortMembers(value: { readonly [name: string]: unknown }): object {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
