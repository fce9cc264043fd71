import { isSecureUrl } from '../../oauth/secure-url.js';
import { addPublicUrl, type Target } from '../target.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import { quote } from '../quote.js';

const CHALLENGE = 'Bearer resource_metadata="https://…/.well-known/oauth-protected-resource/…"';

/** What a server says to one that has no token. */
export const CHALLENGE_CHECKS: readonly Check[] = [
  { id: 'challenge', run: checkChallenge },
  { id: 'challenge-metadata', run: checkMetadataUrl },
];

async function checkChallenge(target: Target): Promise<Outcome> {
  const found = await target.authorization.challenge();
  if (found === undefined) {
    const { status, error } = await target.initializeAnonymously();
    if (status !== 403) return ok('No token is asked for');
    const reason = error === undefined ? '' : `: ${quote(error['message'])}`;
    return failure(
      `Answers 403 to a request without a token${reason}`,
      'Answer 401 with a challenge; let the proxy pass "Host" unchanged, or allow what it sends; if a guard of the application refuses, give what it wants by "--header"',
    );
  }
  if (found.fault !== undefined)
    return failure(found.fault, `Answer 401 with "WWW-Authenticate: ${CHALLENGE}"`);
  const error = found.challenge?.parameters.get('error');
  if (error === undefined) {
    return ok(`401 comes with a "${found.challenge?.scheme === 'dpop' ? 'DPoP' : 'Bearer'}" challenge`);
  }
  return warning(
    `The challenge has "error" ${quote(error)} though no token was sent`,
    'Leave "error" out: some clients take it for a token that has ended',
  );
}

async function checkMetadataUrl(target: Target): Promise<Outcome | undefined> {
  const found = await target.authorization.challenge();
  if (found?.challenge === undefined || found.fault !== undefined) return undefined;
  const url = await target.authorization.metadataUrl();
  if (url === undefined) {
    // There is nothing to name, which is told of the metadata itself.
    if (await target.authorization.isWithoutLogin()) return undefined;
    return warning(
      'The challenge has no "resource_metadata"',
      `Name the metadata: clients of 2025-06-18 look nowhere else (${CHALLENGE})`,
    );
  }
  if (!URL.canParse(url))
    return failure(
      `"resource_metadata" is no absolute URL: ${quote(url)}`,
      `Write ${CHALLENGE}: not all clients add the rest`,
    );
  if (!isSecureUrl(url))
    return failure(`"resource_metadata" is no "https" URL: ${quote(url)}`, `Write ${CHALLENGE}`);
  if (new URL(url).origin === target.publicUrl.origin) return ok(`"resource_metadata" is ${quote(url)}`);
  return failure(
    `"resource_metadata" is of another origin: ${quote(url)}`,
    addPublicUrl('Set the public URL of the server ("publicUrl"): it is not what clients use', target),
  );
}
