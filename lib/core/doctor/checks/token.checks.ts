import { isSameAudience } from '../../oauth/audience.js';
import { readChallenges } from '../../oauth/read-challenges.js';
import { parseScope } from '../../oauth/scope.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { JsonObject } from '../../protocol/parse-json-object.js';
import type { Check } from '../check.interface.js';
import { failure, ok, skipped, warning, type Outcome } from '../finding.js';
import type { McpAnswer, Target } from '../target.js';
import type { TargetOptions } from '../target-options.interface.js';
import { CLOCK_TOLERANCE_SECONDS } from '../probe/measure-clock.js';
import { list, quote } from '../quote.js';
import { readBearer } from '../read-bearer.js';
import { readToken } from '../read-token.js';

type Judge = (claims: JsonObject, target: Target) => Promise<string | undefined> | string | undefined;

/** Whether the token fits, as far as that can be told without a key. */
export const TOKEN_CHECKS: readonly Check[] = [
  { id: 'token', run: checkToken },
  createCheck(
    'token-issuer',
    findIssuerFault,
    'Get a token from an authorization server that the metadata names',
  ),
  createCheck(
    'token-audience',
    findAudienceFault,
    'Get a token for this resource: send its URL as "resource" (RFC 8707)',
  ),
  createCheck('token-lifetime', findLifetimeFault, 'Get a fresh token, and check the clocks'),
  createCheck('token-scope', findScopeFault, 'Get a token with these scopes'),
];

/** What disagrees is a fault if the server refuses the token, and else a matter of its settings. */
function createCheck(id: string, judge: Judge, fix: string): Check {
  return {
    id,
    run: async (target) => {
      const claims = readToken(target.options.token ?? '');
      if (claims === undefined) return undefined;
      const found = await judge(claims, target);
      if (found === undefined) return ok('Agrees with what the server says');
      if (await target.isClosed()) return failure(found, fix);
      return warning(`${found}, and the server takes it`, `${fix}, and let the server check`);
    },
  };
}

async function checkToken(target: Target): Promise<Outcome | undefined> {
  const { token } = target.options;
  const { status } = await target.initializeAnonymously();
  const isProtected = status === 401;
  if (token === undefined && !target.saysWhoAsks) {
    if (!isProtected) return undefined;
    return skipped('No token was given: what lies behind it was not examined', target.options.advice.none);
  }
  if (token !== undefined && !target.sendsToken) {
    return failure(
      'The token was not sent: the URL is plain "http"',
      'Use https: it could be read on the way',
    );
  }
  const answer = await target.initialize();
  const given = nameGiven(target.options);
  if (answer.status === 401) {
    return failure(`${given} is refused with 401: ${readError(answer)}`, explainRefusal(target.options));
  }
  if (answer.status === 403) {
    // Who is refused without a token as well is not refused because of it.
    if (status === 403) return undefined;
    return failure(`${given} does not allow it: ${readError(answer)}`, 'Get the scopes named');
  }
  if (isProtected && (answer.status >= 500 || answer.status === 429)) {
    return failure(
      `${given} is answered with ${answer.status}${answer.error === undefined ? '' : `: ${quote(answer.error['message'])}`}`,
      'Read the log of the server: it has the reason, such as keys of the issuer that it cannot reach',
    );
  }
  if (isProtected)
    return ok(`${given} is taken${target.options.hasProof === true ? ', with proofs of its key' : ''}`);
  return ok(`The server asks for no ${token === undefined ? '"Authorization"' : 'token'} and was given one`);
}

function nameGiven({ token, isTokenStored = false }: TargetOptions): string {
  if (token === undefined) return 'The "Authorization" given';
  return isTokenStored ? 'The token of the stored login' : 'The token';
}

/** Says where the reason of a refusal is to be found. */
function explainRefusal({ token, hasProof, advice }: TargetOptions): string {
  if (token === undefined)
    return 'Check it; the log of the server, or of what stands before it, has the reason';
  const claims = readToken(token);
  if (hasProof !== true && isBound(claims)) return advice.bound;
  const kind =
    claims === undefined ? 'It is opaque, so nothing can be read in it' : 'See the lines about its claims';
  return `${kind}; the log of the server has the reason`;
}

/** RFC 9449 §6.1. */
function isBound(claims: JsonObject | undefined): boolean {
  const confirmation = claims?.['cnf'];
  return isObject(confirmation) && confirmation['jkt'] !== undefined;
}

/** Gives what a refusal says in its challenge. */
function readError({ headers }: McpAnswer): string {
  const parameters = findParameters(headers['www-authenticate']);
  const parts = ['error', 'error_description', 'scope'].flatMap((name) => {
    const value = parameters?.get(name);
    return value === undefined ? [] : [`${name} ${quote(value)}`];
  });
  return parts.length === 0 ? 'no reason is given' : parts.join(', ');
}

/** Of several schemes that by which the token came says what is wrong (RFC 9449 §7.2). */
function findParameters(header = ''): ReadonlyMap<string, string> | undefined {
  const { challenges } = readChallenges(header);
  const faulty = challenges.find(({ parameters }) => parameters.get('error'));
  return (faulty ?? readBearer(header).challenge)?.parameters;
}

async function findIssuerFault({ iss }: JsonObject, { authorization }: Target): Promise<string | undefined> {
  const issuers = (await authorization.servers()).flatMap(({ issuer, found }) => [
    issuer,
    found?.document?.['issuer'],
  ]);
  if (issuers.length === 0 || issuers.includes(iss)) return undefined;
  return `"iss" is ${quote(iss)}, and the server takes tokens of ${quote(issuers[0])}`;
}

/** Says whom a token is meant for instead of this server, as far as both say so. */
export async function findAudienceFault(
  { aud }: JsonObject,
  { authorization }: Target,
): Promise<string | undefined> {
  const resource = (await authorization.resource())?.document?.['resource'];
  if (typeof resource !== 'string') return undefined;
  const audiences = [aud].flat().filter((one): one is string => typeof one === 'string');
  if (audiences.some((one) => isSameAudience(resource, one))) return undefined;
  return `"aud" is ${audiences.length === 0 ? 'missing' : list(audiences)}, and the resource is ${quote(resource)}`;
}

function findLifetimeFault({ exp, nbf }: JsonObject): string | undefined {
  const now = Math.floor(Date.now() / 1000);
  if (exp !== undefined && typeof exp !== 'number') return '"exp" is no number';
  if (nbf !== undefined && typeof nbf !== 'number') return '"nbf" is no number';
  if (exp !== undefined && exp < now - CLOCK_TOLERANCE_SECONDS)
    return `The token ended ${now - exp} seconds ago ("exp")`;
  if (nbf !== undefined && nbf > now + CLOCK_TOLERANCE_SECONDS)
    return `The token begins in ${nbf - now} seconds ("nbf")`;
  return undefined;
}

/** A refusal names what this request needs; the first challenge, what to ask for at first. */
async function findScopeFault(claims: JsonObject, target: Target): Promise<string | undefined> {
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
