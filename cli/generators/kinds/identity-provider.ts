import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className }: HandlerFacts): string {
  return `import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  InvalidTokenError,
  type GivenClaims,
  type TokenValidator,
} from 'nestjs-mcp';

interface Key {
  readonly claims: GivenClaims;
  isRevoked: boolean;
}

/** Identifies callers by their tokens. Replace the map, which is empty at first, with your key store. */
@Injectable()
export class ${className} implements TokenValidator {
  private readonly keys = new Map<string, Key>();

  /** Issues a token, and stores only its digest. */
  issue(claims: GivenClaims): string {
    const token = randomBytes(32).toString('base64url');
    this.keys.set(digest(token), { claims, isRevoked: false });
    return token;
  }

  revoke(token: string): void {
    const key = this.keys.get(digest(token));
    if (key !== undefined) key.isRevoked = true;
  }

  /** Returns nothing for an unknown token, which leaves it to other validators. */
  validate(token: string): GivenClaims | undefined {
    const key = this.keys.get(digest(token));
    if (key?.isRevoked) throw new InvalidTokenError('the key was revoked');
    return key?.claims;
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
`;
}

const TESTS = `const connect = (token: string) =>
  McpTestingModule.createClient(moduleRef, { auth: { token } });

it('accepts a token that it issued', async () => {
  const token = provider.issue({ sub: 'ada', scopes: ['desk:read'] });
  expect(provider.validate(token)).toMatchObject({ sub: 'ada' });
  const client = await connect(token);
  expect(client.getServerVersion()?.name).toBe('test');
  await client.close();
});

it('rejects revoked and unknown tokens', async () => {
  const token = provider.issue({ sub: 'ada' });
  provider.revoke(token);
  await expect(connect(token)).rejects.toThrow('Unauthorized');
  await expect(connect('unknown-token')).rejects.toThrow('Unauthorized');
});`;

/** A token validator, which the server calls if `auth.validator` names it. */
export const identityProvider: HandlerKind = {
  suffix: 'identity-provider',
  isAssigned: false,
  findOption: ({ className }) => ({ name: 'validator', in: 'auth', value: className, isClass: true }),
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: {
      serverOptions: `auth: { validator: ${facts.className} }`,
      withProvider: true,
      withoutClient: true,
      tests: TESTS,
    },
  }),
};
