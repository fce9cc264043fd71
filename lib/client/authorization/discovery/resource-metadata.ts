import { findResourceDocument, isNotFound, requestDocument } from '../../../core/oauth/documents.js';
import { findUrl, isSecureUrl } from '../../../core/oauth/secure-url.js';
import { isEmpty } from '../../../core/oauth/omit-empty.js';
import {
  buildResourceMetadataUrls,
  type ProtectedResourceMetadata,
  trimSlash,
} from '../../../core/oauth/metadata.js';
import { isScope } from '../../../core/oauth/scope.js';
import { isStringArray, type JsonObject } from '../../../core/protocol/json-rpc.js';
import {
  ClientAuthError,
  DiscoveryFailedError,
  InsecureEndpointError,
  NoAuthorizationServerError,
  ResourceMismatchError,
} from '../errors.js';
import { createDocumentGet, getFound, parseProperties, type DocumentFetch } from './fetch-document.js';

/** The server, and the URL that its challenge named. */
interface ResourceLocation {
  readonly serverUrl: string;
  /** The metadata URL from the challenge. If set, no other URL is tried, unless it is only a hint. */
  readonly advertisedUrl: string | undefined;
  /** Whether the challenge header was malformed. @default false */
  readonly isHint?: boolean | undefined;
}

/**
 * Finds a server's protected resource metadata. The URL in a well-formed challenge is authoritative. The URL in a
 * malformed challenge, or an incomplete URL, is used only if the metadata is found there.
 *
 * @returns `undefined` if the server definitely has no such document
 * @throws {DiscoveryFailedError} if that is uncertain, or the document is invalid
 * @throws {NoAuthorizationServerError} if the document names no authorization server
 * @throws {ResourceMismatchError} if the document describes another resource
 * @see RFC 9728 §3, §5, MCP 2026-07-28 basic/authorization
 */
export async function findResourceMetadata(
  { serverUrl, advertisedUrl, isHint = false }: ResourceLocation,
  fetching: DocumentFetch,
): Promise<ProtectedResourceMetadata | undefined> {
  if (advertisedUrl === undefined || advertisedUrl === '') return findAtWellKnown(serverUrl, fetching);
  const isWhole = findUrl(advertisedUrl) !== undefined;
  const url = findUrl(advertisedUrl, serverUrl)?.href ?? advertisedUrl;
  try {
    return await getAdvertised(serverUrl, isWhole ? advertisedUrl : url, fetching);
  } catch (error) {
    const isNone = (isHint || !isWhole) && error instanceof ClientAuthError;
    if (!isNone) throw error;
    return findAtWellKnown(serverUrl, fetching);
  }
}

async function getAdvertised(
  serverUrl: string,
  url: string,
  fetching: DocumentFetch,
): Promise<ProtectedResourceMetadata> {
  if (!isSecureUrl(url, fetching.insecureHosts)) throw new InsecureEndpointError(url, 'resource_metadata');
  const reply = await requestDocument(url, createDocumentGet(fetching));
  if (reply.document !== undefined) return parse(serverUrl, reply.url, reply.document);
  throw new DiscoveryFailedError({
    ...reply,
    problem: `was named as the metadata URL, but ${reply.problem}`,
  });
}

async function findAtWellKnown(
  serverUrl: string,
  fetching: DocumentFetch,
): Promise<ProtectedResourceMetadata | undefined> {
  const reply = await findResourceDocument(buildResourceMetadataUrls(serverUrl), createDocumentGet(fetching));
  return isNotFound(reply) ? undefined : parse(serverUrl, reply.url, getFound(reply));
}

const KINDS = { scopes_supported: 'texts', bearer_methods_supported: 'texts' } as const;

function parse(serverUrl: string, url: string, document: JsonObject): ProtectedResourceMetadata {
  const { resource, authorization_servers: issuers } = document;
  if (typeof resource !== 'string' || !isResourceOf(resource, serverUrl)) {
    throw new ResourceMismatchError(serverUrl, typeof resource === 'string' ? resource : undefined);
  }
  if (isNothing(issuers)) throw new NoAuthorizationServerError(url);
  if (!isStringArray(issuers)) {
    const problem = 'has "authorization_servers" that is not an array of strings';
    throw new DiscoveryFailedError({ url, problem });
  }
  const { scopes_supported: scopes, ...members } = parseProperties(url, document, KINDS);
  const supported = isStringArray(scopes) ? { scopes_supported: scopes.filter(isScope) } : {};
  return { ...members, ...supported, resource, authorization_servers: issuers };
}

function isNothing(value: unknown): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.length === 0);
}

/**
 * Returns whether a server belongs to a resource: it has the same origin, and its path equals the resource's path or
 * is below it.
 *
 * @see RFC 9728 §3.3, RFC 8707 §2
 */
export function isResourceOf(resource: string, serverUrl: string): boolean {
  const named = findUrl(resource);
  if (named === undefined || resource.includes('#')) return false;
  const server = new URL(serverUrl);
  if (named.origin !== server.origin || named.origin === 'null') return false;
  if (named.username + named.password !== '') return false;
  if (named.search !== '' && named.search !== server.search) return false;
  return isAtOrBelow(server.pathname, named.pathname);
}

/** Returns whether a path equals a root path, with or without a trailing slash, or is below it. */
export function isAtOrBelow(path: string, root: string): boolean {
  const trimmed = trimSlash(root);
  return path === trimmed || path.startsWith(`${trimmed}/`);
}
