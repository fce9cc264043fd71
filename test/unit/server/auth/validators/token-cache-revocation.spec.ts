import { describe, expect, it } from '@jest/globals';
import { completeClaims } from '../../../../../lib/core/oauth/access-token.js';
import { buildAuthentication } from '../../../../../lib/server/auth/validators/build-authentication.js';
import { TokenCache } from '../../../../../lib/server/auth/validators/token-cache.js';
import type {
  ReusableValidation,
  Outcome,
} from '../../../../../lib/server/auth/validators/validator.interface.js';

const validate = (sub: string): Outcome => ({
  authentication: buildAuthentication({ method: 'jwt', claims: completeClaims({ sub }), token: sub }),
  isCached: false,
});

describe('TokenCache.forget', () => {
  const isOfAda = ({ claims }: { claims: { sub?: string } }) => claims.sub === 'ada';

  it('forgets the tokens of some callers, also where they are remembered elsewhere, and no others (RELAY-11)', () => {
    const cache = new TokenCache({ cacheSize: 10, cacheTtlMs: 60_000 });
    for (const name of ['ada', 'bob']) void cache.validateOnce(name, () => validate(name));
    const known = cache.validateOnce('ada', () => validate('ada')) as ReusableValidation;
    expect(known.isCurrent()).toBe(true);
    cache.forget(isOfAda);
    expect(known.isCurrent()).toBe(false);
    expect(cache.validateOnce('ada', () => validate('ada'))).toMatchObject({ isCached: false });
    expect(cache.validateOnce('bob', () => validate('bob'))).toMatchObject({ isCached: true });
  });

  it('does not keep what was being validated meanwhile (RELAY-11)', async () => {
    const cache = new TokenCache({ cacheSize: 10, cacheTtlMs: 60_000 });
    const flight = cache.validateOnce('ada', async () => validate('ada'));
    cache.forget(isOfAda);
    await flight;
    expect(cache.validateOnce('ada', () => validate('ada'))).toMatchObject({ isCached: false });
  });
});
