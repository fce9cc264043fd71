import { describe, expect, it } from '@jest/globals';
import { readChallenges } from '../../../../lib/core/oauth/read-challenges.js';

const URL = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';

const read = (header: string) =>
  readChallenges(header).challenges.map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

describe('readChallenges (RFC 9110 §11.6.1)', () => {
  it('reads a list of challenges, and finds no fault with it (PEER-03)', () => {
    expect(readChallenges('Basic realm="a", Bearer scope="b c"')).toEqual({
      challenges: [
        { scheme: 'basic', parameters: new Map([['realm', 'a']]) },
        { scheme: 'bearer', parameters: new Map([['scope', 'b c']]) },
      ],
      fault: undefined,
    });
  });

  it.each([
    `Bearer resource_metadata=${URL}`,
    `Bearer resource_metadata=${URL}, scope=x`,
    `Bearer resource_metadata='${URL}'`,
    `Bearer resource_metadata=""${URL}""`,
    `Bearer resource_metadata=\\"${URL}\\"`,
    `Bearer resource_metadata="${URL}`,
    `Bearer resource_metadata=<${URL}>`,
    `Bearer resource_metadata: "${URL}"`,
    `Bearer: resource_metadata="${URL}"`,
    `Bearer; resource_metadata="${URL}"; scope="x"`,
    `Bearer realm="a" resource_metadata="${URL}" error="invalid_token"`,
    `Bearer resource_metadata="${URL}", resource_metadata="${URL}"`,
    `Bearer realm=my server, resource_metadata="${URL}"`,
    `Bearer error=invalid token; resource_metadata=${URL};`,
    `resource_metadata="${URL}"`,
    `Bearer RESOURCE_METADATA = '${URL}'`,
    `Basic realm=a b, Bearer resource_metadata=${URL}`,
    `Bearer realm=a b, Bearer resource_metadata=${URL}`,
    `Bearer, resource_metadata=${URL}`,
    `Bearer\tresource_metadata=${URL}`,
    `Bearer error_description="said: \\"no\\"" resource_metadata="${URL}"`,
  ])('finds the metadata in %s (PEER-03)', (header) => {
    const { challenges, problem: fault } = readChallenges(header);
    const bearers = challenges.filter(({ scheme }) => scheme === 'bearer');
    expect(bearers.flatMap(({ parameters }) => parameters.get('resource_metadata') ?? [])).toEqual([URL]);
    expect(fault).toBeDefined();
  });

  it('takes a parameter with two meanings for none, and keeps the others (PEER-03)', () => {
    expect(read('Bearer realm="a", resource_metadata="https://a", Resource_Metadata="https://b"')).toEqual([
      ['bearer', { realm: 'a' }],
    ]);
  });

  it('finds nothing in the texts of others (PEER-03)', () => {
    expect(read(`Basic realm="Bearer resource_metadata=${URL}" x y, Bearer scope=a`)).toEqual([
      ['basic', { realm: `Bearer resource_metadata=${URL}` }],
      ['bearer', { scope: 'a' }],
    ]);
    expect(read(`Digest realm=a b resource_metadata=${URL}`)).toEqual([
      ['digest', { realm: 'a', resource_metadata: URL }],
    ]);
  });

  it.each(['"', "'", '=', ',;:', '\\', 'Bearer "', '💥', 'x'.repeat(20_000), '"'.repeat(20_000)])(
    'reads %# without an end to it (PEER-03) (SAFE-01)',
    (header) => {
      expect(readChallenges(header).challenges.flatMap(({ parameters }) => [...parameters])).toEqual([]);
    },
  );
});
