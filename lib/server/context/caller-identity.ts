import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { formatAddressGroup, mayBeProxy } from '../../core/network/address-group.js';
import type { McpContext } from './mcp-context.interface.js';
import { hash } from 'node:crypto';
import { formatBoundIdentity } from '../memory/memory-account.js';
import type { AuthMethod } from './authentication.js';

/** What an address counts as. */
interface AddressGroup {
  /** The part of an address that one caller has; `undefined` if the text is not an address. */
  readonly name: string | undefined;
  readonly mayBeProxy: boolean;
}

/** Every request asks, and most come from few addresses. */
const groups = new LRUCache<string, AddressGroup>({ max: 1000 });
const NO_GROUP: AddressGroup = { name: undefined, mayBeProxy: false };

/** A request as adapters have it, with the address that their setting `trust proxy` gives. */
interface AddressedRequest {
  readonly ip?: unknown;
  readonly raw?: AddressedRequest;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}

/** The known facts about the caller. */
interface CallingContext {
  readonly identity?: string | undefined;
  readonly http?: { readonly request: unknown } | undefined;
}

/** Finds the address of a caller without a token. A caller with a token is known by the token. */
export function findAnonymousAddress({ identity, http }: CallingContext): string | undefined {
  return identity === undefined && http ? findCallerAddress(Object(http.request)) : undefined;
}

/**
 * Finds the address that a request counts for, by the adapter's own `ip`. There is no address if the request comes
 * directly from a network of proxies, and no proxy is trusted. Any caller could then be behind it.
 */
export function findCallerAddress(request: object): string | undefined {
  const { ip, raw, socket = raw?.socket }: AddressedRequest = request;
  const connected = socket?.remoteAddress;
  const told = typeof ip === 'string' && ip !== connected ? getGroup(ip) : NO_GROUP;
  if (told.name !== undefined) return told.name;
  const group = connected === undefined ? NO_GROUP : getGroup(connected);
  return group.mayBeProxy ? undefined : group.name;
}

function getGroup(address: string): AddressGroup {
  const known = groups.get(address);
  if (known !== undefined) return known;
  // A caller may write anything behind a proxy that is trusted: only addresses are kept.
  if (isIP(address) === 0) return NO_GROUP;
  const group = { name: formatAddressGroup(address), mayBeProxy: mayBeProxy(address) };
  groups.set(address, group);
  return group;
}

/** Names the caller for which a call counts. */
export function nameCaller({ auth, http, session }: McpContext): string {
  const { claims } = auth;
  if (claims?.sub !== undefined) return format('subject', claims.iss, claims.sub);
  if (claims?.clientId !== undefined) return format('client', claims.iss, claims.clientId);
  const address = http && findCallerAddress(Object(http.request) as object);
  if (address !== undefined) return format('address', address);
  // Everybody may be behind a proxy that is not trusted.
  if (session !== undefined) return format('session', session.id);
  return http === undefined ? 'pipe' : 'stranger';
}

/** No text that a token has can be taken for two. */
function format(kind: string, ...parts: readonly (string | undefined)[]): string {
  return `${kind} ${JSON.stringify(parts.map((part) => part ?? null))}`;
}

/** The facts that distinguish a caller from all others. */
export interface CallerName {
  /** Who says who the caller is: an issuer, or the kind of validator if no issuer is named. */
  readonly authority: { readonly issuer: string } | { readonly method: AuthMethod };
  /** The subject of the token. If the token names nobody, the token itself, since many may use the same client. */
  readonly name: { readonly subject: string } | { readonly token: string };
  /** The key to which the token is bound. Work that began with one key is not for a holder of another. @default none */
  readonly key?: string | undefined;
}

/** Returns a text for a caller that is the same for the same caller, and that reveals neither token nor subject. */
export function identifyCaller({ authority, name, key }: CallerName): string {
  const parts = [...Object.entries(authority), ...Object.entries(name)].flat();
  const account = hash('sha256', JSON.stringify(parts), 'base64url');
  return key === undefined ? account : formatBoundIdentity(account, key);
}
