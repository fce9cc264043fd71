import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { findAuthority } from '../../core/oauth/access-token.js';
import { formatAddressGroup, mayBeProxy } from '../../core/network/address-networks.js';
import type { McpContext } from './mcp-context.interface.js';
import { hash } from 'node:crypto';
import { formatBoundIdentity } from '../memory/memory-account.js';

/** The rules for grouping addresses. */
interface AddressGroup {
  /** The prefix of the address that counts as one caller; `undefined` for a string that is not an address. */
  readonly name: string | undefined;
  readonly mayBeProxy: boolean;
}

/** Caches groups, because most requests arrive from only a few addresses. */
const groups = new LRUCache<string, AddressGroup>({ max: 1000 });
const NO_GROUP: AddressGroup = { name: undefined, mayBeProxy: false };

/** A request as adapters represent it, with the address determined by their `trust proxy` setting. */
interface AddressedRequest {
  readonly ip?: unknown;
  readonly raw?: AddressedRequest;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}

/** The known facts about a caller. */
interface CallingContext {
  readonly identity?: string | undefined;
  readonly http?: { readonly request: unknown } | undefined;
}

/** Finds the address of a caller without a token. A caller with a token is identified by the token. */
export function findAnonymousAddress({ identity, http }: CallingContext): string | undefined {
  return identity === undefined && http ? findCallerAddress(Object(http.request)) : undefined;
}

/**
 * Finds the address that identifies the caller, using the adapter's `ip`. There is none if the connection is from a
 * network of proxies while no proxy is trusted, because any caller could be behind it.
 */
export function findCallerAddress(request: object): string | undefined {
  const { ip, raw, socket = raw?.socket }: AddressedRequest = request;
  const connected = socket?.remoteAddress;
  const reported = typeof ip === 'string' && ip !== connected ? getGroup(ip) : NO_GROUP;
  if (reported.name !== undefined) return reported.name;
  const group = connected === undefined ? NO_GROUP : getGroup(connected);
  return group.mayBeProxy ? undefined : group.name;
}

function getGroup(address: string): AddressGroup {
  const known = groups.get(address);
  if (known !== undefined) return known;
  // Behind a trusted proxy, callers can send any string, so only addresses are cached.
  if (isIP(address) === 0) return NO_GROUP;
  const group = { name: formatAddressGroup(address), mayBeProxy: mayBeProxy(address) };
  groups.set(address, group);
  return group;
}

/** Identifies the caller whose limits a call counts toward. */
export function nameCaller({ auth, http, session }: McpContext): string {
  const { claims, authentication } = auth;
  const authority = findAuthority(claims?.iss, authentication?.method);
  if (claims?.sub !== undefined) return format('subject', authority, claims.sub);
  if (claims?.clientId !== undefined) return format('client', authority, claims.clientId);
  const address = http && findCallerAddress(Object(http.request) as object);
  if (address !== undefined) return format('address', address);
  // Any number of callers may be behind an untrusted proxy.
  if (session !== undefined) return format('session', session.id);
  return http === undefined ? 'pipe' : 'anonymous';
}

/** JSON separates the parts unambiguously, regardless of what a token contains. */
function format(kind: string, ...parts: readonly unknown[]): string {
  return `${kind} ${JSON.stringify(parts)}`;
}

/** The facts that distinguish a caller from all others. */
export interface CallerName {
  readonly authority: ReturnType<typeof findAuthority>;
  /** The token's subject, or the token itself without a subject, since many callers may share a client. */
  readonly name: { readonly subject: string } | { readonly token: string };
  /**
   * The key to which the token is bound. Holders of a different key cannot access work that began with this one.
   * @default none
   */
  readonly key?: string | undefined;
}

/** Returns a stable identifier of a caller, which reveals neither the token nor the subject. */
export function identifyCaller({ authority, name, key }: CallerName): string {
  const parts = [...Object.entries(authority), ...Object.entries(name)].flat();
  const account = hash('sha256', JSON.stringify(parts), 'base64url');
  return key === undefined ? account : formatBoundIdentity(account, key);
}
