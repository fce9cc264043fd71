import { isSecureUrl } from '../../oauth/secure-url.js';
import { addPublicUrl, type Target } from '../target.js';
import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import { quote } from '../quote.js';

const CHALLENGE = 'Bearer resource_metadata="https://…/.well-known/oauth-protected-resource/…"';

/** What clients without a token learn from a server. */
export const CHALLENGE_CHECKS: readonly Check[] = [
  { id: 'challenge', run: checkChallenge },
  { id: 'challenge-metadata', run: checkMetadataUrl },
];

async function checkChallenge(target: Target): Promise<Outcome> {
  const found = await target.authorization.challenge();
  if (found === undefined) {
    const { status, error } = await target.initializeAnonymously();
    if (status !== 403) return ok('No token is required');
    const reason = error === undefined ? '' : `: ${quote(error['message'])}`;
    return failure(
      `Responds with 403 to a request without a token${reason}`,
      'Respond with 401 and a challenge; have the proxy pass "Host" unchanged, or allow the host it sends; if a guard of the application refuses, pass what it requires with "--header"',
    );
  }
  if (found.problem !== undefined)
    return failure(found.problem, `Respond with 401 and "WWW-Authenticate: ${CHALLENGE}"`);
  const error = found.challenge?.parameters.get('error');
  if (error === undefined) {
    return ok(`401 has a "${found.challenge?.scheme === 'dpop' ? 'DPoP' : 'Bearer'}" challenge`);
  }
  return warning(
    `The challenge has "error" ${quote(error)} though no token was sent`,
    'Leave "error" out: some clients mistake it for an expired token',
  );
}

async function checkMetadataUrl(target: Target): Promise<Outcome | undefined> {
  const found = await target.authorization.challenge();
  if (found?.challenge === undefined || found.problem !== undefined) return undefined;
  const url = await target.authorization.metadataUrl();
  if (url === undefined) {
    // There is nothing to name; the check of the metadata itself reports that.
    if (await target.authorization.isWithoutLogin()) return undefined;
    return warning(
      'The challenge has no "resource_metadata"',
      `Name the metadata: 2025-06-18 clients look nowhere else (${CHALLENGE})`,
    );
  }
  if (!URL.canParse(url))
    return failure(
      `"resource_metadata" is not an absolute URL: ${quote(url)}`,
      `Write ${CHALLENGE}: not all clients resolve relative URLs`,
    );
  if (!isSecureUrl(url))
    return failure(`"resource_metadata" is not an "https" URL: ${quote(url)}`, `Write ${CHALLENGE}`);
  if (new URL(url).origin === target.publicUrl.origin) return ok(`"resource_metadata" is ${quote(url)}`);
  return failure(
    `"resource_metadata" has a different origin: ${quote(url)}`,
    addPublicUrl('Set the public URL of the server ("publicUrl"): it differs from what clients use', target),
  );
}
