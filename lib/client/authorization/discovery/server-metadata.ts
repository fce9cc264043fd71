import { type AuthorizationServerMetadata, isSameIssuer } from '../../../core/oauth/metadata.js';
import { findServerDocument } from '../../../core/oauth/documents.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import type { JsonObject } from '../../../core/protocol/json-rpc.js';
import {
  DiscoveryFailedError,
  InsecureEndpointError,
  IssuerMismatchError,
  PkceUnsupportedError,
} from '../errors.js';
import {
  createDiscoveryError,
  createDocumentGet,
  parseProperties,
  type DocumentFetch,
  type PropertyKind,
} from './fetch-document.js';

/**
 * Gets an authorization server's metadata.
 *
 * @throws {DiscoveryFailedError} if it has no metadata, or that is uncertain
 * @throws {IssuerMismatchError} if its metadata names another issuer
 * @throws {InsecureEndpointError} if the issuer or its token endpoint is not secure
 * @see RFC 8414 §3, OpenID Connect Discovery 1.0 §4, MCP 2026-07-28 basic/authorization
 */
export async function getServerMetadata(
  issuer: string,
  fetching: DocumentFetch,
): Promise<AuthorizationServerMetadata> {
  if (!isSecureUrl(issuer, fetching.insecureHosts))
    throw new InsecureEndpointError(issuer, 'authorization_servers');
  if (/[?#]/.test(issuer)) {
    throw new DiscoveryFailedError({
      url: issuer,
      problem: 'is not an issuer: it has a query or a fragment',
    });
  }
  const { found, problems, doubt } = await findServerDocument(issuer, createDocumentGet(fetching));
  if (found !== undefined)
    return parseServerMetadata(found.url, found.document, { issuers: [issuer], ...fetching });
  if (doubt !== undefined) throw createDiscoveryError(doubt);
  const odd = problems
    .filter(({ status }) => status !== 404)
    .map(({ url, problem }) => `${new URL(url).pathname} ${problem}`);
  const problem = `has no metadata${odd.length === 0 ? '' : ` (${odd.join(', ')})`}`;
  throw new DiscoveryFailedError({ url: issuer, problem, status: 404 });
}

const KINDS: { readonly [member: string]: PropertyKind } = {
  token_endpoint: 'text',
  scopes_supported: 'texts',
  grant_types_supported: 'texts',
  token_endpoint_auth_methods_supported: 'texts',
  revocation_endpoint_auth_methods_supported: 'texts',
  code_challenge_methods_supported: 'texts',
  dpop_signing_alg_values_supported: 'texts',
  client_id_metadata_document_supported: 'flag',
  authorization_response_iss_parameter_supported: 'flag',
};

/** The expected issuer, and how strictly it is compared. */
interface ExpectedServer extends Pick<DocumentFetch, 'insecureHosts' | 'ignoreIssuerSlash'> {
  /** The accepted spellings of the issuer. */
  readonly issuers: readonly [string, ...string[]];
}

/**
 * Parses an authorization server's metadata.
 *
 * Issuers are compared as strings, because two URLs that a parser normalizes to the same URL may be two issuers. Only
 * the token endpoint is checked, because every grant needs it. Others are checked when they are used (`getEndpoint`).
 */
export function parseServerMetadata(
  url: string,
  document: JsonObject,
  { issuers, insecureHosts, ignoreIssuerSlash }: ExpectedServer,
): AuthorizationServerMetadata {
  const { issuer } = document;
  if (typeof issuer !== 'string' || !issuers.some((one) => isSameIssuer(one, issuer, ignoreIssuerSlash))) {
    throw new IssuerMismatchError(issuers[0], typeof issuer === 'string' ? issuer : undefined);
  }
  const metadata: AuthorizationServerMetadata = { ...parseProperties(url, document, KINDS), issuer };
  const { token_endpoint: endpoint } = metadata;
  if (endpoint !== undefined && !isSecureUrl(endpoint, insecureHosts))
    throw new InsecureEndpointError(endpoint, 'token_endpoint');
  return metadata;
}

/** A metadata property with the URL of a client endpoint. */
type EndpointMember =
  'authorization_endpoint' | 'token_endpoint' | 'registration_endpoint' | 'revocation_endpoint';

/**
 * Returns the URL of one of an authorization server's endpoints.
 *
 * @throws {DiscoveryFailedError} if its metadata has none
 * @throws {InsecureEndpointError} if the URL is not secure
 */
export function getEndpoint(
  metadata: AuthorizationServerMetadata,
  member: EndpointMember,
  insecureHosts: readonly string[] = [],
): string {
  const url: unknown = metadata[member];
  if (url === undefined) {
    throw new DiscoveryFailedError({ url: metadata.issuer, problem: `has no "${member}" in its metadata` });
  }
  if (!isSecureUrl(url, insecureHosts))
    throw new InsecureEndpointError(typeof url === 'string' ? url : JSON.stringify(url), member);
  return url;
}

/** Issuers that check PKCE with S256 without declaring it. */
export interface PkceOptions {
  /** Issuers that check PKCE with S256 and list no methods in their metadata. @default [] */
  readonly assumeS256?: readonly string[] | undefined;
}

/**
 * Rejects an authorization server that does not declare PKCE with S256. A server that lists only other methods is
 * rejected even if `assumeS256` names it.
 *
 * @throws {PkceUnsupportedError} if its metadata does not list "S256"
 * @see MCP 2026-07-28 basic/authorization, RFC 7636 §4.2
 */
export function assertPkceSupported(
  metadata: AuthorizationServerMetadata,
  { assumeS256 = [] }: PkceOptions = {},
): void {
  const { code_challenge_methods_supported: methods = [], issuer } = metadata;
  if (methods.includes('S256')) return;
  const isSilent = methods.length === 0;
  if (!isSilent || !assumeS256.includes(issuer)) throw new PkceUnsupportedError(issuer, isSilent);
}
