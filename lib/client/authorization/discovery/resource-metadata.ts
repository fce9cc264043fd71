import type { ProtectedResourceMetadata } from '../../../core/oauth/protected-resource-metadata.js';
import { isScope } from '../../../core/oauth/scope.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { buildResourceMetadataUrls } from '../../../core/oauth/well-known.js';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import { InsecureEndpointError } from '../errors/insecure-endpoint.error.js';
import { NoAuthorizationServerError } from '../errors/no-authorization-server.error.js';
import { ResourceMismatchError } from '../errors/resource-mismatch.error.js';
import { findDocument, getDocument, type DocumentFetch } from './fetch-document.js';
import { isResourceOf } from './is-resource-of.js';
import { parseMembers } from './members.js';

/** Whose metadata is looked for. */
export interface ResourcePlace {
  readonly serverUrl: string;
  /** Where the server said that its metadata is; it is looked for nowhere else then. */
  readonly advertisedUrl: string | undefined;
}

/**
 * Looks for what a server says of itself.
 *
 * @returns nothing where the server definitely has no such document
 * @throws {DiscoveryFailedError} where that cannot be told, or the document is none
 * @throws {NoAuthorizationServerError} where the document names nobody who gives tokens
 * @throws {ResourceMismatchError} where the document is about another resource
 * @see RFC 9728 §3, §5, MCP 2026-07-28 basic/authorization
 */
export async function findResourceMetadata(
  { serverUrl, advertisedUrl }: ResourcePlace,
  fetching: DocumentFetch,
): Promise<ProtectedResourceMetadata | undefined> {
  if (advertisedUrl !== undefined) {
    if (!isSecureUrl(advertisedUrl, fetching.insecureHosts))
      throw new InsecureEndpointError(advertisedUrl, 'resource_metadata');
    return parse(serverUrl, advertisedUrl, await getDocument(advertisedUrl, fetching));
  }
  for (const url of buildResourceMetadataUrls(serverUrl)) {
    const document = await findDocument(url, fetching);
    if (document !== undefined) return parse(serverUrl, url, document);
  }
  return undefined;
}

const KINDS = { scopes_supported: 'texts', bearer_methods_supported: 'texts' } as const;

function parse(serverUrl: string, url: string, document: JsonObject): ProtectedResourceMetadata {
  const { resource, authorization_servers: issuers } = document;
  if (typeof resource !== 'string' || !isResourceOf(resource, serverUrl)) {
    throw new ResourceMismatchError(serverUrl, typeof resource === 'string' ? resource : undefined);
  }
  if (isNothing(issuers)) throw new NoAuthorizationServerError(url);
  if (!isList(issuers)) {
    const fault = 'has "authorization_servers" that are not a list of texts';
    throw new DiscoveryFailedError({ url, fault });
  }
  const { scopes_supported: scopes, ...members } = parseMembers(url, document, KINDS);
  const supported = isList(scopes) ? { scopes_supported: scopes.filter(isScope) } : {};
  return { ...members, ...supported, resource, authorization_servers: issuers };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
