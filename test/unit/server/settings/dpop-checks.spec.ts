import { describe, expect, it } from '@jest/globals';
import { assertOptions } from '../../../../lib/server/settings/mcp-options.js';

const SERVED = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
};
const BEARER = 'a-fixed-token-of-the-desk';
const validator = { validate: () => undefined };

const check =
  (auth: object, options: object = {}) =>
  () =>
    assertOptions({ serverInfo: { name: 'desk', version: '1.0.0' }, ...options, auth });

describe('The option "auth.dpop"', () => {
  it.each([
    'allowed',
    'required',
    { mode: 'required' },
    { mode: 'allowed', algorithms: ['ES256'], windowSeconds: 300, nonce: true, nonceLifetimeSeconds: 60 },
    { mode: 'allowed', nonce: false },
  ])('may be %j (XTN-03)', (dpop) => {
    expect(check({ ...SERVED, jwt: {}, dpop })).not.toThrow();
  });

  it.each([
    ['on', '"auth.dpop" must be "allowed" or "required"'],
    [true, '"auth.dpop" must be an object with mode'],
    [{}, '"auth.dpop.mode" is required: set it to a value such as "required"'],
    [{ mode: 'always' }, '"auth.dpop.mode" must be "allowed" or "required"'],
    [{ mode: 'allowed', algorithms: [] }, '"auth.dpop.algorithms" must not be empty'],
    [{ mode: 'allowed', algorithms: ['HS256'] }, '"auth.dpop.algorithms[0]" must be'],
    [{ mode: 'allowed', algorithms: ['none'] }, '"auth.dpop.algorithms[0]" must be'],
    [{ mode: 'allowed', windowSeconds: 301 }, '"auth.dpop.windowSeconds" must be at most 300'],
    [{ mode: 'allowed', windowSeconds: 0 }, '"auth.dpop.windowSeconds" must be a whole number'],
    [{ mode: 'allowed', nonce: 'yes' }, '"auth.dpop.nonce" must be true or false'],
    [
      { mode: 'allowed', nonceLifetimeSeconds: 60 },
      '"auth.dpop.nonceLifetimeSeconds" has no effect without "nonce"',
    ],
    [{ mode: 'allowed', window: 60 }, '"auth.dpop.window" (did you mean "auth.dpop.windowSeconds"?)'],
  ])('must not be %j (XTN-03)', (dpop, message) => {
    expect(check({ ...SERVED, jwt: {}, dpop })).toThrow(message);
  });

  it('needs something that can know of a binding (XTN-03)', () => {
    expect(check({ ...SERVED, bearer: BEARER, dpop: 'allowed' })).toThrow(
      '"auth.dpop" requires "jwt", "introspection" or "validator": fixed tokens are not bound to a key',
    );
    expect(check({ dpop: 'allowed' })).toThrow('"auth" must include a way to validate tokens');
  });

  it('leaves nobody with a token that is always refused (XTN-03)', () => {
    expect(check({ ...SERVED, jwt: {}, bearer: BEARER, dpop: 'required' })).toThrow(
      '"auth.bearer" has no effect if "dpop" is "required"',
    );
    expect(check({ ...SERVED, jwt: {}, bearer: BEARER, dpop: 'allowed' })).not.toThrow();
  });

  it('needs the URL that proofs name (XTN-03)', () => {
    expect(check({ validator, dpop: 'allowed' })).toThrow('"publicUrl" is required with "auth.dpop"');
    expect(
      check({ validator, dpop: 'allowed' }, { publicUrl: 'https://desk.example.com/mcp' }),
    ).not.toThrow();
    expect(check({ validator, dpop: 'allowed', resourceUri: SERVED.resourceUri })).not.toThrow();
  });

  it.each(['dpop_signing_alg_values_supported', 'dpop_bound_access_tokens_required'])(
    'is what says "%s", not "auth.resourceMetadata" (XTN-03)',
    (member) => {
      expect(check({ ...SERVED, jwt: {}, resourceMetadata: { [member]: true } })).toThrow(
        `"auth.resourceMetadata.${member}" is set by the server: omit it, and set "auth.dpop" instead`,
      );
    },
  );
});
