import { describe, expect, it } from '@jest/globals';
import { readDemand, type Demand } from '../../../../lib/client/authorization/authorization-headers.js';

const SERVER = 'https://desk.example.com/mcp';

function read(status: number, ...headers: readonly string[]): Demand {
  const response = new Response(null, { status });
  for (const header of headers) response.headers.append('www-authenticate', header);
  return readDemand({ serverUrl: SERVER, response, token: 'refused' });
}

const TOKEN = { serverUrl: SERVER, refusedToken: 'refused' };

describe('readDemand (RFC 6750 §3, RFC 9728 §5.1)', () => {
  it.each([200, 202, 400, 402, 404, 500])('finds no demand in %d (CLI-12)', (status) => {
    expect(read(status, 'Bearer error="insufficient_scope"')).toEqual({ kind: 'nothing' });
  });

  it.each([[], ['Basic realm="desk"'], ['Negotiate abc==']])(
    'takes a 401 for a demand of a token, whatever its challenges are: %j (CLI-02)',
    (...headers) => {
      expect(read(401, ...headers)).toEqual({
        kind: 'token',
        challenge: { ...TOKEN, status: 401, resourceMetadataUrl: undefined, scopes: [], error: undefined },
      });
    },
  );

  it('reads the parameters in every order, form and case (CLI-02) (CLI-11)', () => {
    const url = 'https://desk.example.com/metadata';
    const facts = { resourceMetadataUrl: url, scopes: ['a', 'b'], error: 'invalid_token' };
    const expected = { kind: 'token', challenge: { ...TOKEN, ...facts, status: 401 } };
    expect(read(401, `Bearer error=invalid_token, scope="a b", resource_metadata="${url}"`)).toEqual(
      expected,
    );
    expect(read(401, `bEARER Resource_Metadata="${url}" , SCOPE="a  b",error="invalid_token"`)).toEqual(
      expected,
    );
    expect(
      read(401, 'Basic realm="x, y"', `DPoP resource_metadata="${url}", scope="a b", error="invalid_token"`),
    ).toEqual(expected);
  });

  it('prefers the challenge that names metadata, and takes its scopes alone (CLI-02) (CLI-11)', () => {
    const header =
      'Bearer realm="x", scope="of-another", DPoP resource_metadata="https://a.example", scope="a"';
    expect(read(401, header)).toMatchObject({
      challenge: { resourceMetadataUrl: 'https://a.example', scopes: ['a'] },
    });
  });

  it('leaves out what is no scope (CLI-11)', () => {
    expect(read(401, 'Bearer scope="a \\"b\\" c\\\\d é e"')).toMatchObject({
      challenge: { scopes: ['a', 'e'] },
    });
  });

  it('takes a 403 for a demand where it is short of scope alone (CLI-12)', () => {
    expect(read(403, 'Bearer error="insufficient_scope", scope="a"')).toMatchObject({
      kind: 'token',
      challenge: { status: 403, scopes: ['a'], error: 'insufficient_scope' },
    });
    expect(read(403, 'Bearer error="invalid_token"')).toEqual({ kind: 'nothing' });
    expect(read(403)).toEqual({ kind: 'nothing' });
  });

  it('knows a demand of a nonce, of the scheme "DPoP" alone (CLI-19)', () => {
    expect(read(401, 'DPoP error="use_dpop_nonce", resource_metadata="https://a.example"')).toEqual({
      kind: 'proof',
    });
    expect(read(401, 'Bearer error="use_dpop_nonce"')).toHaveProperty('kind', 'token');
  });

  it('takes what a malformed header names for a hint (PEER-03)', () => {
    expect(read(401, "Bearer scope='a b', resource_metadata=https://a.example/x")).toEqual({
      kind: 'token',
      challenge: {
        ...TOKEN,
        status: 401,
        resourceMetadataUrl: 'https://a.example/x',
        scopes: ['a', 'b'],
        error: undefined,
        isMalformed: true,
      },
    });
  });

  it('takes a parameter with two meanings for none (PEER-03)', () => {
    const header = 'Bearer scope="a", scope="b", resource_metadata="https://a.example", error=x';
    expect(read(401, header)).toMatchObject({
      challenge: { scopes: [], error: 'x', resourceMetadataUrl: 'https://a.example' },
    });
  });

  it('takes empty parameters for none (PEER-02)', () => {
    expect(read(401, 'Bearer resource_metadata="", scope="", error=""')).toEqual({
      kind: 'token',
      challenge: { ...TOKEN, status: 401, resourceMetadataUrl: undefined, scopes: [], error: undefined },
    });
  });

  it('reads that scopes are missing from a malformed header, and leaves other ones of 403 to the caller (CLI-12) (PEER-03)', () => {
    expect(read(403, "Bearer error='insufficient_scope'; scope='a'")).toMatchObject({
      kind: 'token',
      challenge: { scopes: ['a'] },
    });
    expect(read(403, 'Basic realm="x" error="insufficient_scope"')).toEqual({ kind: 'nothing' });
    expect(read(403, 'Bearer realm=no way')).toEqual({ kind: 'nothing' });
  });
});
