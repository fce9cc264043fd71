import { isSameAudience } from '../../oauth/audience.js';
import { readChallenges } from '../../oauth/read-challenges.js';
import { parseScope } from '../../oauth/scope.js';
import { isObject, type JsonObject } from '../../protocol/json-rpc.js';
import { type Check, failure, list, ok, type Outcome, quote, skipped, warning } from '../finding.js';
import type { McpResponse, Target, TargetOptions } from '../target.js';
import { CLOCK_TOLERANCE_SECONDS } from '../probe/probe-wire.js';
import { readBearer, readToken } from '../read-token.js';

type ClaimsCheck = (claims: JsonObject, target: Target) => Promise<string | undefined> | string | undefined;

/** Whether the token fits the server, without verifying its signature. */
export const TOKEN_CHECKS: readonly Check[] = [
  { id: 'token', run: checkToken },
  createCheck(
    'token-issuer',
    findIssuerProblem,
    'Obtain a token from an authorization server that the metadata lists',
  ),
  createCheck(
    'token-audience',
    findAudienceProblem,
    'Obtain a token for this resource: send its URL as "resource" (RFC 8707)',
  ),
  createCheck('token-lifetime', findLifetimeProblem, 'Obtain a fresh token, and check the clocks'),
  createCheck('token-scope', findScopeProblem, 'Obtain a token with these scopes'),
];

/** A mismatch is an error if the server refuses the token, and otherwise depends on the server's settings. */
function createCheck(id: string, judge: ClaimsCheck, fix: string): Check {
  return {
    id,
    run: async (target) => {
      const claims = readToken(target.options.token ?? '');
      if (claims === undefined) return undefined;
      const found = await judge(claims, target);
      if (found === undefined) return ok('Matches what the server declares');
      if (await target.isClosed()) return failure(found, fix);
      return warning(`${found}, but the server accepts it`, `${fix}, and have the server check this`);
    },
  };
}

async function checkToken(target: Target): Promise<Outcome | undefined> {
  const { token } = target.options;
  const { status } = await target.initializeAnonymously();
  const isProtected = status === 401;
  if (token === undefined && !target.sendsCredentials) {
    if (!isProtected) return undefined;
    return skipped('No token was given, so protected features were not examined', target.options.advice.none);
  }
  if (token !== undefined && !target.sendsToken) {
    return failure(
      'The token was not sent: the URL is plain "http"',
      'Use HTTPS: the token could be read in transit',
    );
  }
  const answer = await target.initialize();
  const given = nameGiven(target.options);
  if (answer.status === 401) {
    return failure(`${given} is rejected with 401: ${readError(answer)}`, explainRefusal(target.options));
  }
  if (answer.status === 403) {
    // A request that is refused even without a token is not refused because of the token.
    if (status === 403) return undefined;
    return failure(`${given} does not allow it: ${readError(answer)}`, 'Obtain a token with these scopes');
  }
  if (isProtected && (answer.status >= 500 || answer.status === 429)) {
    return failure(
      `${given} returns ${answer.status}${answer.error === undefined ? '' : `: ${quote(answer.error['message'])}`}`,
      'Check the server log for the reason, such as unreachable issuer keys',
    );
  }
  if (isProtected)
    return ok(
      `${given} is accepted${target.options.hasProof === true ? ', with proofs signed by its key' : ''}`,
    );
  return ok(`The server requires no ${token === undefined ? '"Authorization"' : 'token'}, but one was sent`);
}

function nameGiven({ token, isTokenStored = false }: TargetOptions): string {
  if (token === undefined) return 'The "Authorization" header';
  return isTokenStored ? 'The token from the stored login' : 'The token';
}

/** Explains where to find the reason for a refusal. */
function explainRefusal({ token, hasProof, advice }: TargetOptions): string {
  if (token === undefined)
    return 'Check it; the log of the server or the proxy in front of it contains the reason';
  const claims = readToken(token);
  if (hasProof !== true && isBound(claims)) return advice.bound;
  const kind =
    claims === undefined ? 'It is opaque, so it cannot be read here' : 'See the lines about its claims';
  return `${kind}; the server's log contains the reason`;
}

/** RFC 9449 §6.1. */
function isBound(claims: JsonObject | undefined): boolean {
  const confirmation = claims?.['cnf'];
  return isObject(confirmation) && confirmation['jkt'] !== undefined;
}

/** Formats the reason that a refusal gives in its challenge. */
function readError({ headers }: McpResponse): string {
  const parameters = findParameters(headers['www-authenticate']);
  const parts = ['error', 'error_description', 'scope'].flatMap((name) => {
    const value = parameters?.get(name);
    return value === undefined ? [] : [`${name} ${quote(value)}`];
  });
  return parts.length === 0 ? 'no reason is given' : parts.join(', ');
}

/** If there are several challenges, the one for the token's scheme contains the error (RFC 9449 §7.2). */
function findParameters(header = ''): ReadonlyMap<string, string> | undefined {
  const { challenges } = readChallenges(header);
  const problemy = challenges.find(({ parameters }) => parameters.get('error'));
  return (problemy ?? readBearer(header).challenge)?.parameters;
}

async function findIssuerProblem(
  { iss }: JsonObject,
  { authorization }: Target,
): Promise<string | undefined> {
  const issuers = (await authorization.servers()).flatMap(({ issuer, found }) => [
    issuer,
    found?.document?.['issuer'],
  ]);
  if (issuers.length === 0 || issuers.includes(iss)) return undefined;
  return `"iss" is ${quote(iss)}, but the server accepts tokens from ${quote(issuers[0])}`;
}

/** Explains which audience a token is meant for instead, if both the token and the server declare one. */
export async function findAudienceProblem(
  { aud }: JsonObject,
  { authorization }: Target,
): Promise<string | undefined> {
  const resource = (await authorization.resource())?.document?.['resource'];
  if (typeof resource !== 'string') return undefined;
  const audiences = [aud].flat().filter((one): one is string => typeof one === 'string');
  if (audiences.some((one) => isSameAudience(resource, one))) return undefined;
  return `"aud" is ${audiences.length === 0 ? 'missing' : list(audiences)}, but the resource is ${quote(resource)}`;
}

function findLifetimeProblem({ exp, nbf }: JsonObject): string | undefined {
  const now = Math.floor(Date.now() / 1000);
  if (exp !== undefined && typeof exp !== 'number') return '"exp" is not a number';
  if (nbf !== undefined && typeof nbf !== 'number') return '"nbf" is not a number';
  if (exp !== undefined && exp < now - CLOCK_TOLERANCE_SECONDS)
    return `The token expired ${now - exp} seconds ago ("exp")`;
  if (nbf !== undefined && nbf > now + CLOCK_TOLERANCE_SECONDS)
    return `The token becomes valid in ${nbf - now} seconds ("nbf")`;
  return undefined;
}

/** A refusal names this request's scopes; the first challenge, the scopes to request initially. */
async function findScopeProblem(claims: JsonObject, target: Target): Promise<string | undefined> {
  const challenge = await target.authorization.challenge();
  const { status, headers } = await target.initialize();
  const refusal = status === 403 ? findParameters(headers['www-authenticate']) : undefined;
  const first = challenge?.challenge?.parameters;
  const needed = parseScope((refusal ?? first)?.get('scope') ?? '');
  const held = readScopes(claims);
  const missing = needed.filter((scope) => !held.includes(scope));
  return missing.length === 0 ? undefined : `The token lacks ${list(missing)}, which the challenge names`;
}

function readScopes({ scope, scp }: JsonObject): readonly string[] {
  return [scope, scp].flat().flatMap((value) => (typeof value === 'string' ? parseScope(value) : []));
}
