import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Claims } from '../../../core/oauth/claims.js';
import type { LogSubject } from '../../log/format-line.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import { EventError } from './event.error.js';
import { assertOffered } from './feeds/assert-offered.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import type { WantedPosition } from './feeds/find-position.js';
import { parseArguments, parseName, parsePosition } from './parse-event-params.js';
import {
  assertNoId,
  formatWebhookId,
  parseDeliveryUrl,
  parseSecret,
  parseTtl,
} from './parse-webhook-params.js';

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

export interface UnsubscribeAsk {
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
