import { createHash } from 'node:crypto';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Claims } from '../../../core/oauth/access-token.js';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { sortProperties } from '../../../core/protocol/canonical-json.js';
import type { LogSubject } from '../../log/format-line.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import { EventError } from './event.error.js';
import { assertDeliveryMode, type RequestedPosition } from './feeds/find-position.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { parseArguments, parseName, parsePosition } from './parse-event-params.js';

/** A webhook request as JSON, which another process can handle. */
export type WebhookRequest = SubscribeRequest | UnsubscribeRequest;

export interface SubscribeRequest {
  readonly kind: 'subscribe';
  readonly id: string;
  readonly identity: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly ttlMs?: number;
  /** The arguments, as parsed by the source's schema. */
  readonly given: OpenObject;
  readonly claims?: Claims;
  readonly position: { readonly [Member in keyof RequestedPosition]?: RequestedPosition[Member] };
}

interface UnsubscribeRequest {
  readonly kind: 'unsubscribe';
  readonly id: string;
  readonly name: string;
  readonly claims?: Claims;
}

/** Identifies the caller and the subject in log lines. */
export function describeRequest({ kind, name, claims }: WebhookRequest): LogSubject {
  return { authentication: { claims }, method: `events/${kind}`, params: { name } };
}

/**
 * Parses a request that creates or refreshes a webhook.
 *
 * @throws {McpError} -32602 if a parameter is invalid
 * @throws {EventError} if the source does not exist or has no webhooks, or the caller is unknown
 * @throws {AuthError} if the caller lacks a scope of the source
 */
export async function parseSubscribe(
  context: ExtensionContext,
  feeds: EventFeeds,
): Promise<SubscribeRequest> {
  const { params, auth, identity } = context;
  const feed = feeds.get(parseName(params), auth);
  const { entry } = feed;
  assertNoId(params);
  const url = parseDeliveryUrl(params);
  const secret = parseSecret(params);
  if (identity === undefined) throw EventError.unknownCaller();
  assertDeliveryMode(feed, 'webhook');
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
 * Parses a request that ends a webhook.
 *
 * @throws {McpError} -32602 if a parameter is invalid
 * @throws {EventError} if the caller is unknown
 */
export function parseUnsubscribe({ params, auth, identity }: ExtensionContext): UnsubscribeRequest {
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

/** The identity of a webhook subscription: its caller, its source with arguments, and its receiver. */
interface WebhookKey {
  readonly identity: string;
  readonly name: string;
  readonly url: string;
  /** The arguments as the client sent them. */
  readonly arguments: unknown;
}

/**
 * Parses a webhook URL.
 *
 * @throws {McpError} -32602 if there is none
 * @throws {EventError} -32014 if another delivery mode is requested
 */
export function parseDeliveryUrl({ delivery }: Params): string {
  if (!isObject(delivery))
    throw McpError.invalidParams('"delivery" must be an object with "mode", "url" and "secret"');
  const { mode = 'webhook', url } = delivery;
  if (typeof mode !== 'string') throw McpError.invalidParams('"delivery.mode" must be "webhook"');
  // The other delivery modes need no subscription.
  if (mode !== 'webhook') throw EventError.unsupportedDelivery(mode);
  if (typeof url === 'string' && url !== '') return url;
  throw McpError.invalidParams('"delivery.url" must be a URL');
}

/**
 * Parses the secret that signs messages to a webhook.
 *
 * @throws {McpError} -32602 if there is none
 */
export function parseSecret({ delivery }: Params): string {
  const secret = isObject(delivery) ? delivery['secret'] : undefined;
  if (typeof secret === 'string') return secret;
  throw McpError.invalidParams(
    '"delivery.secret" must be "whsec_" followed by 24 to 64 random bytes in base64',
  );
}

/**
 * Parses a subscription's requested lifetime. The server clamps it, so no value is refused; `null` requests no
 * expiry.
 */
export function parseTtl({ ttlMs }: Params): number | undefined {
  if (ttlMs === null) return Number.MAX_SAFE_INTEGER;
  return typeof ttlMs === 'number' && Number.isFinite(ttlMs) && ttlMs > 0 ? ttlMs : undefined;
}

/**
 * Refuses an id from the client, because ids are derived from the subscription.
 *
 * @throws {McpError} -32602
 */
export function assertNoId({ id }: Params): void {
  if (id === undefined) return;
  throw McpError.invalidParams('the server assigns the "id": omit it');
}

/**
 * Derives a subscription id. It reveals nothing, and knowing it grants no access.
 *
 * @throws {McpError} -32602 if the arguments cannot be written as JSON
 */
export function formatWebhookId({ identity, name, url, arguments: given }: WebhookKey): string {
  const key = JSON.stringify([identity, name, url, formatCanonically(given ?? {})]);
  const hash = createHash('sha256').update(key).digest().subarray(0, 16);
  return `sub_${hash.toString('base64url')}`;
}

/** Serializes JSON with sorted properties. */
function formatCanonically(value: unknown): string {
  try {
    return JSON.stringify(sortProperties(value));
  } catch {
    throw McpError.invalidParams('"arguments" are nested too deeply');
  }
}
