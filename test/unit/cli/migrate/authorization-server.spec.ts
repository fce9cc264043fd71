import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

/** An application with the other package's authorization server. */
function toModule(options: string, from = '@rekog/mcp-nest'): string {
  return `import { AzureADOAuthProvider, GitHubOAuthProvider, GoogleOAuthProvider, McpAuthModule } from '${from}';
import { company } from './company';
const port = 3030;
export const modules = [
  McpAuthModule.forRoot({
    clientId: process.env.CLIENT_ID!,
    clientSecret: process.env.CLIENT_SECRET!,
    jwtSecret: process.env.JWT_SECRET!,
    ${options}
  }),
];
`;
}

async function findNote(options: string, from?: string): Promise<string> {
  const { notes, files } = await migrateFiles({ 'src/app.ts': toModule(options, from) });
  expect(files['src/app.ts']).toContain('McpAuthModule.forRoot({');
  return notes.find((note) => note.includes('McpAuthorizationServerModule')) ?? '';
}

describe('migrate, for McpAuthModule', () => {
  it.each(['@rekog/mcp-nest', '@rekog/mcp-nest-auth'])(
    'leaves the module of %s, and prints its replacement (WAY-01)',
    async (from) => {
      const note = await findNote(
        `provider: GitHubOAuthProvider, serverUrl: 'http://localhost:3030', apiPrefix: 'auth',
    resource: 'http://localhost:3030/mcp',`,
        from,
      );
      expect(note.split('\n').slice(0, -1)).toEqual([
        'src/app.ts: "McpAuthModule" stays. Once its tokens may end, replace it with this:',
        '  McpAuthorizationServerModule.forRoot({',
        "    issuer: 'http://localhost:3030/auth',",
        "    resources: { ['http://localhost:3030/mcp']: { 'mcp:use': 'What this scope allows' } },",
        '    upstream: upstreams.github({ clientId: process.env.CLIENT_ID!, clientSecret: process.env.CLIENT_SECRET! }),',
        "    grantScopes: (user) => ['mcp:use'],",
        '    secret: process.env.JWT_SECRET!,',
        '  })',
      ]);
      expect(note).toMatch(/decide in "grantScopes". See .*from-mcp-nest.md#authorization-server$/);
    },
  );

  it('prints no secret that is written in the source (WAY-01)', async () => {
    const note = await findNote(`provider: GitHubOAuthProvider, serverUrl: 'http://localhost:3030',
    ...{}, clientSecret: 'of-the-client', jwtSecret: \`of-the-tokens\`,`);
    expect(note).toContain('clientSecret: process.env.CLIENT_SECRET! }');
    expect(note).not.toMatch(/of-the-(?:client|tokens)/);
  });

  it('prints scopes, lifetimes, the storage, and a URL that is not a literal (WAY-01)', async () => {
    const note = await findNote(`provider: GoogleOAuthProvider, serverUrl: \`http://localhost:\${port}\`,
    protectedResourceMetadata: { scopesSupported: ['read', 'write'] },
    jwtAccessTokenExpiresIn: '15m', jwtRefreshTokenExpiresIn: '30d', storeConfiguration: { type: 'memory' },`);
    expect(note).toContain('issuer: `${`http://localhost:${port}`}/oauth`,');
    expect(note).toContain("'read': 'What this scope allows', 'write': 'What this scope allows'");
    expect(note).toContain("grantScopes: (user) => ['read', 'write'],");
    expect(note).toContain('accessTokenSeconds: 900,');
    expect(note).toContain('refreshTokenSeconds: 2592000,');
    expect(note).toContain('storage: redisAuthorizationStorage({ client }),');
    expect(note).toContain('upstream: upstreams.google({');
    expect(note).not.toContain('no counterpart');
  });

  it('names options without a counterpart, and asks for what only the developer knows (WAY-01)', async () => {
    const note = await findNote(
      `provider: AzureADOAuthProvider, cookieMaxAge: 1000, endpoints: { token: '/t' }, cookieSecure: true,`,
    );
    expect(note).toContain("upstream: upstreams.entraId({ tenant: 'your tenant ID', clientId:");
    expect(note).toContain('These options have no counterpart: "cookieMaxAge", "endpoints"\n');
    expect(await findNote('provider: company,')).toContain(
      'upstream: { authorizationUrl, tokenUrl, userUrl, readSubject, clientId: process.env.CLIENT_ID!, clientSecret: process.env.CLIENT_SECRET! },',
    );
  });

  it('prints nothing without the module (WAY-01)', async () => {
    const { notes } = await migrateFiles({
      'src/app.ts': `import { Tool } from '@rekog/mcp-nest';\nexport { Tool };\n`,
    });
    expect(notes.join()).not.toContain('McpAuthorizationServerModule');
  });
});
