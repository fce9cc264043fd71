import type { FetchedDocument } from '../authorization-facts.js';
import { type Check, failure, list, ok, type Outcome, quote, warning } from '../finding.js';
import { addPublicUrl, type Target } from '../target.js';
import { coversEndpoint, isSameAudience } from '../../oauth/audience.js';
import { isSecureUrl } from '../../oauth/secure-url.js';

const CHALLENGE = 'Bearer resource_metadata="https://…/.well-known/oauth-protected-resource/…"';

/** The information that clients without a token get from a server. */
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
      'Respond with 401 and a challenge; have the proxy pass "Host" unchanged, or allow the host it sends; if an application guard rejects it, pass the required header with "--header"',
    );
  }
  if (found.problem !== undefined)
    return failure(found.problem, `Respond with 401 and "WWW-Authenticate: ${CHALLENGE}"`);
  const error = found.challenge?.parameters.get('error');
  if (error === undefined) {
    return ok(`401 has a "${found.challenge?.scheme === 'dpop' ? 'DPoP' : 'Bearer'}" challenge`);
  }
  return warning(
    `The challenge has "error" ${quote(error)} although no token was sent`,
    'Leave "error" out: some clients mistake it for an expired token',
  );
}

async function checkMetadataUrl(target: Target): Promise<Outcome | undefined> {
  const found = await target.authorization.challenge();
  if (found?.challenge === undefined || found.problem !== undefined) return undefined;
  const url = await target.authorization.metadataUrl();
  if (url === undefined) {
    // There is nothing to name, and the check for the metadata itself reports that.
    if (await target.authorization.isWithoutLogin()) return undefined;
    return warning(
      'The challenge has no "resource_metadata"',
      `Add it: 2025-06-18 clients do not look anywhere else (${CHALLENGE})`,
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
    addPublicUrl('Set the public server URL ("publicUrl"): it differs from the URL that clients use', target),
  );
}

/** A server's metadata as a protected resource (RFC 9728). */
export const RESOURCE_METADATA_CHECKS: readonly Check[] = [
  { id: 'metadata', run: checkDocuments },
  { id: 'metadata-resource', run: checkResource },
  { id: 'metadata-servers', run: checkServers },
];

const LET_PASS =
  'Clients read it before they have a token, but a guard rejects the request: exempt its URLs from global guards and from those in "decorators"';

async function checkDocuments(target: Target): Promise<Outcome | undefined> {
  const facts = await target.authorization.resourceMetadata();
  if (facts === undefined) return undefined;
  const { named, atPath, atRoot } = facts;
  if (named?.isUnreadable === true) return undefined;
  if (await target.authorization.isWithoutLogin()) {
    return ok('No login is offered, as is usual with fixed tokens: give each client a token');
  }
  if (named !== undefined && named.document === undefined) {
    return failure(
      `The metadata that the challenge names ${describe(named)}`,
      named.isRefused === true ? LET_PASS : addPublicUrl('Serve it there publicly, as JSON', target),
    );
  }
  const missing = [atPath, atRoot].filter(({ document }) => document === undefined);
  const found = missing.map((one) => `The metadata ${describe(one)}`).join('; ');
  if ((await target.authorization.resource()) === undefined) {
    if (missing.length === 2) return judgeAbsence(target, missing);
    return failure(
      found,
      'Respond with 404 where there is none: clients stop searching after any other response',
    );
  }
  if (missing.length === 0) return ok('The resource metadata is at both well-known URLs');
  return warning(found, 'Serve it with and without the path: clients differ in where they look');
}

/** A client that already has a token needs no metadata. */
async function judgeAbsence(target: Target, missing: readonly FetchedDocument[]): Promise<Outcome> {
  const found = missing.map((one) => `The metadata ${describe(one)}`).join('; ');
  const isAdmitted = target.sendsToken && !(await target.isClosed());
  const judge = isAdmitted ? warning : failure;
  const isRefused = missing.every((one) => one.isRefused === true);
  return judge(
    found,
    isRefused
      ? LET_PASS
      : 'Publish it ("publicUrl", "auth.authorizationServers"): without it, clients cannot get a token',
  );
}

async function checkResource(target: Target): Promise<Outcome | undefined> {
  const document = (await target.authorization.resource())?.document;
  if (document === undefined) return undefined;
  const { resource } = document;
  const { publicUrl } = target;
  const fix = addPublicUrl(`Set "resource" to the URL that clients use: ${quote(publicUrl.href)}`, target);
  if (typeof resource !== 'string' || !URL.canParse(resource)) {
    return failure(`"resource" in the metadata is not a URL: ${quote(resource)}`, fix);
  }
  if (isSameAudience(publicUrl.href, resource)) return ok('"resource" is the endpoint URL');
  if (coversEndpoint(new URL(resource), publicUrl))
    return ok(`"resource" ${quote(resource)} covers the endpoint`);
  return failure(`"resource" is ${quote(resource)}, which does not cover the endpoint`, fix);
}

async function checkServers(target: Target): Promise<Outcome | undefined> {
  const document = (await target.authorization.resource())?.document;
  if (document === undefined) return undefined;
  const { authorization_servers: servers } = document;
  const fix = 'List the token issuer in "authorization_servers", as an "https" URL';
  if (!Array.isArray(servers) || servers.length === 0) {
    return failure('The metadata does not list "authorization_servers"', fix);
  }
  const bad = servers.filter((server) => !isSecureUrl(server));
  if (bad.length > 0)
    return failure(`${quote(bad[0])} is not the "https" URL of an authorization server`, fix);
  return ok(`Tokens are issued by ${list(servers.map(String))}`);
}

function describe({ url, problem }: FetchedDocument): string {
  return `at ${quote(url)} ${problem}`;
}
