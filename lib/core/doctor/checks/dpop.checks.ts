import { readChallenges } from '../../oauth/read-challenges.js';
import { type Check, failure, list, ok, type Outcome, quote, warning } from '../finding.js';
import type { Target } from '../target.js';

/** Whether clients can discover that tokens may be bound to a key, and can obtain such tokens (RFC 9449). */
export const DPOP_CHECKS: readonly Check[] = [
  { id: 'dpop', run: checkDpop },
  { id: 'dpop-servers', run: checkServers },
];

/** The declarations in the resource metadata. */
interface DpopClaims {
  readonly algorithms: readonly string[];
  readonly isRequired: boolean;
}

async function checkDpop(target: Target): Promise<Outcome | undefined> {
  const claims = await readClaims(target);
  const challenged = await findChallenge(target);
  if (claims === undefined) return undefined;
  const { algorithms, isRequired } = claims;
  if (algorithms.length === 0 && challenged === undefined && !isRequired) return undefined;
  if (algorithms.length === 0) {
    return warning(
      'Tokens can be bound to a key, but the metadata does not list the algorithms',
      'List them in "dpop_signing_alg_values_supported"',
    );
  }
  const unfit = algorithms.filter((name) => name === 'none' || name.startsWith('HS'));
  if (unfit.length > 0) {
    return failure(
      `The metadata allows proofs with ${list(unfit)}`,
      'Allow only asymmetric algorithms (RFC 9449 §11.6)',
    );
  }
  if (challenged === undefined) {
    return failure(
      'The metadata declares key-bound tokens, but the challenge lacks the scheme "DPoP"',
      'Add the challenge DPoP algs="…" (RFC 9449 §7.1)',
    );
  }
  return ok(
    `Tokens ${isRequired ? 'must' : 'can'} be bound to a key, with proofs signed with ${algorithms.map(quote).join(', ')}`,
  );
}

async function checkServers(target: Target): Promise<Outcome | undefined> {
  const claims = await readClaims(target);
  if (claims === undefined || claims.algorithms.length === 0) return undefined;
  const servers = (await target.authorization.servers()).filter(({ found }) => found !== undefined);
  if (servers.length === 0) return undefined;
  const binding = servers.filter(({ found }) => {
    const supported = readTexts(found?.document['dpop_signing_alg_values_supported']);
    return supported.some((name) => claims.algorithms.includes(name));
  });
  if (binding.length > 0) return ok(`${quote(binding[0]?.issuer)} binds tokens to keys`);
  const found = `No authorization server advertises support for DPoP with an algorithm that this server accepts`;
  const fix = 'Enable DPoP there too, and declare it in "dpop_signing_alg_values_supported"';
  return claims.isRequired ? failure(found, fix) : warning(found, fix);
}

async function readClaims(target: Target): Promise<DpopClaims | undefined> {
  const document = (await target.authorization.resource())?.document;
  if (document === undefined) return undefined;
  return {
    algorithms: readTexts(document['dpop_signing_alg_values_supported']),
    isRequired: document['dpop_bound_access_tokens_required'] === true,
  };
}

async function findChallenge(target: Target): Promise<object | undefined> {
  const { headers } = await target.initializeAnonymously();
  const { challenges } = readChallenges(headers['www-authenticate'] ?? '');
  return challenges.find(({ scheme }) => scheme === 'dpop');
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
