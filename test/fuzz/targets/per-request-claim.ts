import { McpError } from '../../../lib/core/protocol/mcp.error.js';
import { parseMessage } from '../../../lib/core/protocol/parse-message.js';
import {
  carriesClaim,
  namesPerRequestVersion,
  parsePerRequestClaim,
} from '../../../lib/core/protocol/headers/per-request-claim.js';
import { assertHolds, parseWith, readFields, readHeaders, readJson } from '../contract.js';

const CODES: readonly unknown[] = [-32602, -32020, -32022];

/** Classifies a request of whichever wire by its body and its headers, which stand behind the first zero. */
export function fuzz(bytes: Buffer): void {
  const [body = '', fields] = readFields(bytes);
  const headers = fields === undefined ? undefined : readHeaders(fields);
  const parsed = parseWith(() => parseMessage(readJson(body)), McpError);
  if ('error' in parsed || parsed.value.kind !== 'request') return;
  const request = parsed.value.message;
  const claimed = parseWith(() => parsePerRequestClaim(request, headers), McpError);
  if ('error' in claimed) {
    assertHolds(CODES.includes((claimed.error as McpError).code), 'a claim is refused with a published code');
    return;
  }
  assertHolds(
    (claimed.value !== undefined) === carriesClaim(request),
    'a claim is one that the message carries',
  );
  if (claimed.value === undefined) {
    assertHolds(!namesPerRequestVersion(headers?.['mcp-protocol-version']), 'headers alone make no claim');
    return;
  }
  assertHolds(claimed.value.revision.kind === 'perRequest', 'a claim is of the stateless wire');
  if (headers === undefined) return;
  assertHolds(headers['mcp-method'] === request.method, 'headers and body name one method');
  assertHolds(
    headers['mcp-protocol-version'] === claimed.value.revision.version,
    'headers and body name one version',
  );
}
