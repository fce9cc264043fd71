import { isResourceOf } from '../../../lib/client/authorization/discovery/resource-metadata.js';
import { parseProperties } from '../../../lib/client/authorization/discovery/fetch-document.js';
import { ClientAuthError } from '../../../lib/client/authorization/errors.js';
import { isSameAudience } from '../../../lib/core/oauth/audience.js';
import { isSecureUrl } from '../../../lib/core/oauth/secure-url.js';
import { buildResourceMetadataUrls, buildServerMetadataUrls } from '../../../lib/core/oauth/metadata.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { assertHolds, parseWith, readFields, readJson } from '../contract.js';

const SERVER = 'https://desk.example.com/team/mcp';
const KINDS = {
  scopes_supported: 'texts',
  resource_name: 'text',
  dpop_bound_access_tokens_required: 'flag',
} as const;

/** Judges a URL that a server gives for itself, and the members of the document, which stand behind the first zero. */
export function fuzz(bytes: Buffer): void {
  const [url = '', text = ''] = readFields(bytes);
  if (isResourceOf(url, SERVER)) {
    const { origin, username } = new URL(url);
    assertHolds(
      origin === new URL(SERVER).origin && username === '',
      'a resource has the origin of its server',
    );
  }
  if (isSameAudience(SERVER, url))
    assertHolds(new URL(url).href.startsWith(SERVER), 'an audience is the server');
  assertHolds(isSameAudience(SERVER, url) === isSameAudience(url, SERVER), 'whichever is expected');
  if (isSecureUrl(url)) {
    const urls = [...buildResourceMetadataUrls(url), ...buildServerMetadataUrls(url)];
    for (const one of urls)
      assertHolds(new URL(one).origin === new URL(url).origin, 'metadata is at its origin');
  }
  const document = readJson(text);
  if (!isObject(document)) return;
  const parsed = parseWith(() => parseProperties(SERVER, document, KINDS), ClientAuthError);
  if ('error' in parsed) return;
  const scopes = parsed.value['scopes_supported'];
  assertHolds(scopes === undefined || Array.isArray(scopes), 'a list is a list');
}
