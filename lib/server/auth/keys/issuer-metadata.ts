import {
  type AuthorizationServerMetadata,
  differBySlash,
  isSameIssuer,
} from '../../../core/oauth/metadata.js';
import { type DocumentResponse, findServerDocument } from '../../../core/oauth/documents.js';
import { omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import { type JsonObject, parseJsonObject } from '../../../core/protocol/json-rpc.js';
import type { IssuerLeniency } from '../../settings/auth/issuer-urls.js';
import { quoteUrl, quoteValue } from '../quote-value.js';
import { DocumentError } from '../errors.js';
import { fetchResponse, type FetchSettings } from './fetch-document.js';

/**
 * Fetches what an authorization server says of itself.
 *
 * @throws {DocumentError} if it has no metadata, or metadata of another issuer
 * @see RFC 8414 §3, OpenID Connect Discovery 1.0 §4
 */
export async function fetchServerMetadata(
  issuer: string,
  { insecureHosts, ignoreIssuerSlash, ...settings }: FetchSettings & Partial<IssuerLeniency>,
): Promise<AuthorizationServerMetadata> {
  if (!isSecureUrl(issuer, insecureHosts)) {
    throw new DocumentError(
      `the issuer ${quoteValue(issuer)} is no "https:" URL, so its metadata cannot be found: say where its endpoints are, or name its host in "auth.insecureHosts"`,
    );
  }
  const { found, problems, doubt } = await findServerDocument(issuer, (url) => ask(url, settings));
  if (found !== undefined) return parseServerMetadata({ issuer, ...found, ignoreIssuerSlash });
  if (doubt !== undefined) throw new DocumentError(`${quoteUrl(doubt.url)} ${doubt.problem}`, doubt.status);
  const places = problems.map(
    ({ url, problem, status }) => quoteUrl(url) + (status === 404 ? '' : ` (${problem})`),
  );
  throw new DocumentError(`${quoteUrl(issuer)} has no metadata: there is none at ${places.join(', ')}`);
}

/** What an issuer may leave out of its metadata, and what is to be done then. */
const ABSENCES = {
  jwks_uri: 'a "jwks_uri": say where the keys are by "auth.jwt.jwksUrl"',
  introspection_endpoint: 'an "introspection_endpoint": say where to ask by "auth.introspection.endpoint"',
  token_endpoint: 'a "token_endpoint": say where tokens are exchanged by "auth.exchange.tokenEndpoint"',
} as const;

/**
 * Returns the URL of one of an authorization server's endpoints.
 *
 * @throws {DocumentError} if its metadata has none, or one that is not safe for keys and secrets
 */
export function getEndpoint(
  metadata: AuthorizationServerMetadata,
  member: keyof typeof ABSENCES,
  { insecureHosts }: Partial<IssuerLeniency> = {},
): string {
  const url = metadata[member];
  if (isSecureUrl(url, insecureHosts)) return url;
  const name = `the metadata of ${quoteUrl(metadata.issuer)}`;
  if (url === undefined) throw new DocumentError(`${name} does not name ${ABSENCES[member]}`);
  throw new DocumentError(
    `${name} has ${quoteValue(url)} as "${member}", expected an "https:" URL, or a host of "auth.insecureHosts"`,
  );
}

async function ask(url: string, settings: FetchSettings): Promise<DocumentResponse> {
  const { status, location, body } = await fetchResponse(url, settings);
  return { status, location, document: parseJsonObject(body) };
}

/** A document that names another issuer may be that one's, set before somebody else's tokens (RFC 8414 §3.3). */
function parseServerMetadata({
  issuer,
  url,
  document,
  ignoreIssuerSlash,
}: FoundMetadata): AuthorizationServerMetadata {
  const found = document['issuer'];
  if (isSameIssuer(issuer, found, ignoreIssuerSlash)) return { ...omitEmpty(document), issuer: found };
  const isNear = typeof found === 'string' && differBySlash(issuer, found);
  const remedy = isNear ? ': write the slash as it has it, or set "auth.ignoreIssuerSlash"' : '';
  throw new DocumentError(
    `${quoteUrl(url)} names the issuer ${quoteValue(found)}, expected ${quoteValue(issuer)}${remedy}`,
  );
}

interface FoundMetadata {
  readonly issuer: string;
  readonly url: string;
  readonly document: JsonObject;
  readonly ignoreIssuerSlash: boolean | undefined;
}
