import {
  assertPkceSupported,
  getEndpoint,
  parseServerMetadata,
} from '../../../lib/client/authorization/discovery/server-metadata.js';
import { ClientAuthError } from '../../../lib/client/authorization/errors.js';
import { isSecureUrl } from '../../../lib/core/oauth/secure-url.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { assertHolds, parseWith, readJson } from '../contract.js';

const ISSUER = 'https://login.example.com';
const URL_OF_DOCUMENT = `${ISSUER}/.well-known/oauth-authorization-server`;
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const;

/** Parses what an authorization server says of itself. */
export function fuzz(bytes: Buffer): void {
  const document = readJson(bytes);
  if (!isObject(document)) return;
  for (const given of [document, { ...document, issuer: ISSUER }]) {
    const parsed = parseWith(
      () => parseServerMetadata(URL_OF_DOCUMENT, given, { issuers: [ISSUER] }),
      ClientAuthError,
    );
    if ('error' in parsed) continue;
    const metadata = parsed.value;
    assertHolds(metadata.issuer === ISSUER, 'metadata is of the issuer that was asked for');
    parseWith(() => assertPkceSupported(metadata), ClientAuthError);
    for (const member of ENDPOINTS) {
      const endpoint = parseWith(() => getEndpoint(metadata, member), ClientAuthError);
      if ('value' in endpoint)
        assertHolds(isSecureUrl(endpoint.value), 'nobody reads along with an endpoint');
    }
  }
}
