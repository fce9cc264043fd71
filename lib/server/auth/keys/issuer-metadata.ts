import {
  type AuthorizationServerMetadata,
  differBySlash,
  isSameIssuer,
} from '../../../core/oauth/metadata.js';
import { type DocumentResponse, findServerDocument } from '../../../core/oauth/documents.js';
import { omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { type JsonObject, parseJsonObject } from '../../../core/protocol/json-rpc.js';
import type { IssuerExceptions } from '../../settings/auth/issuer-urls.js';
import { quoteUrl, quoteValue } from '../quote-value.js';
import { DocumentError } from '../errors.js';
import { fetchResponse, type FetchSettings } from './fetch-document.js';

/**
 * Fetches an authorization server's metadata.
 *
 * @throws {DocumentError} if there is no metadata, or it names a different issuer
 * @see RFC 8414 §3, OpenID Connect Discovery 1.0 §4
 */
export async function fetchServerMetadata(
  issuer: string,
  { insecureHosts, ignoreIssuerSlash, ...settings }: FetchSettings & Partial<IssuerExceptions>,
): Promise<AuthorizationServerMetadata> {
  if (!isSecureUrl(issuer, insecureHosts)) {
    throw new DocumentError(
      `the issuer ${quoteValue(issuer)} is not an "https:" URL, so its metadata cannot be fetched: configure its endpoints, or add its host to "auth.insecureHosts"`,
    );
  }
  const { found, problems, doubt } = await findServerDocument(issuer, (url) => ask(url, settings));
  if (found !== undefined) return parseServerMetadata({ issuer, ...found, ignoreIssuerSlash });
  if (doubt !== undefined) throw new DocumentError(`${quoteUrl(doubt.url)} ${doubt.problem}`, doubt.status);
  const places = problems.map(
    ({ url, problem, status }) => quoteUrl(url) + (status === 404 ? '' : ` (${problem})`),
  );
  throw new DocumentError(
    `${quoteUrl(issuer)} has no metadata at any of the standard locations: ${places.join(', ')}`,
  );
}

/** The endpoints that metadata may omit, and how to configure them. */
const ABSENCES = {
  jwks_uri: 'a "jwks_uri": set "auth.jwt.jwksUrl"',
  introspection_endpoint: 'an "introspection_endpoint": set "auth.introspection.endpoint"',
  token_endpoint: 'a "token_endpoint": set "auth.exchange.tokenEndpoint"',
} as const;

/**
 * Returns the URL of an authorization server endpoint.
 *
 * @throws {DocumentError} if the metadata does not name it, or its URL is not safe for keys and secrets
 */
export function getEndpoint(
  metadata: AuthorizationServerMetadata,
  member: keyof typeof ABSENCES,
  { insecureHosts }: Partial<IssuerExceptions> = {},
): string {
  const url = metadata[member];
  if (isSecureUrl(url, insecureHosts)) return url;
  const name = `the metadata of ${quoteUrl(metadata.issuer)}`;
  if (url === undefined) throw new DocumentError(`${name} does not contain ${ABSENCES[member]}`);
  throw new DocumentError(
    `${name} has ${quoteValue(url)} as its "${member}", expected an "https:" URL or a host listed in "auth.insecureHosts"`,
  );
}

async function ask(url: string, settings: FetchSettings): Promise<DocumentResponse> {
  const { status, location, body } = await fetchResponse(url, settings);
  return { status, location, document: parseJsonObject(body) };
}

/** Metadata that names another issuer may have been substituted to accept that issuer's tokens (RFC 8414 §3.3). */
function parseServerMetadata({
  issuer,
  url,
  document,
  ignoreIssuerSlash,
}: FoundMetadata): AuthorizationServerMetadata {
  const found = document['issuer'];
  if (isSameIssuer(issuer, found, ignoreIssuerSlash)) return { ...omitEmpty(document), issuer: found };
  const isNear = typeof found === 'string' && differBySlash(issuer, found);
  const fix = isNear ? ': match its trailing slash exactly, or set "auth.ignoreIssuerSlash"' : '';
  throw new DocumentError(
    `${quoteUrl(url)} names the issuer ${quoteValue(found)}, expected ${quoteValue(issuer)}${fix}`,
  );
}

interface FoundMetadata {
  readonly issuer: string;
  readonly url: string;
  readonly document: JsonObject;
  readonly ignoreIssuerSlash: boolean | undefined;
}
