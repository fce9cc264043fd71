import { readDemand } from '../../../lib/client/authorization/authorization-headers.js';
import { formatChallenge } from '../../../lib/core/oauth/challenges.js';
import { ChallengeSyntaxError, parseChallenges } from '../../../lib/core/oauth/read-challenges.js';
import { isScope } from '../../../lib/core/oauth/scope.js';
import { assertHolds, parseWith } from '../contract.js';

const LONGEST_HEADER = 16_384;

/** Reads `WWW-Authenticate`, and what a client makes of it. */
export function fuzz(bytes: Buffer): void {
  const header = bytes.toString('latin1');
  const parsed = parseWith(() => parseChallenges(header), ChallengeSyntaxError);
  if ('value' in parsed) {
    for (const { scheme, parameters } of parsed.value) {
      assertHolds(scheme !== '' && scheme === scheme.toLowerCase(), 'a scheme is a name in lower case');
      for (const name of parameters.keys()) assertHolds(name === name.toLowerCase(), 'so is a parameter');
    }
  }
  assertWritten(header);
  for (const status of [401, 403]) assertDemand(header, status);
}

/** What a server writes of any text, a client reads. */
function assertWritten(text: string): void {
  const written = formatChallenge('Bearer', { error: 'invalid_token', scope: text, error_description: text });
  if (written.length > LONGEST_HEADER) return;
  const [challenge, ...others] = parseChallenges(written);
  const visible = text.replace(/[^\t\x20-\x7e]/g, '');
  assertHolds(others.length === 0 && challenge?.scheme === 'bearer', 'a challenge stays one');
  assertHolds(challenge.parameters.get('scope') === visible, 'a parameter comes back');
  assertHolds(challenge.parameters.get('error') === 'invalid_token', 'no text changes another parameter');
}

function assertDemand(header: string, status: number): void {
  const response = createResponse(header, status);
  if (response === undefined) return;
  const call = { serverUrl: 'https://desk.example.com/mcp', response, token: 'a-token' };
  const demand = readDemand(call);
  if (demand.kind !== 'token') return;
  assertHolds(demand.challenge.scopes.every(isScope), 'what is asked for can be a scope');
}

function createResponse(header: string, status: number): Response | undefined {
  try {
    return new Response(null, { status, headers: { 'www-authenticate': header } });
  } catch {
    return undefined;
  }
}
