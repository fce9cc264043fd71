import { createHash } from 'node:crypto';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { EventError } from './event.error.js';

/** The identity of a webhook subscription: its owner, its source with arguments, and its receiver. */
export interface WebhookKey {
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
