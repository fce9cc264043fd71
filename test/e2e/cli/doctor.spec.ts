import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { INestApplication } from '@nestjs/common';
import { McpCatalog, McpModule, McpNotifier, type AuthOptions, type McpOptions } from 'nestjs-mcp';
import { z } from 'zod';
import { DpopKey, DpopProof } from '../../../lib/client/authorization/dpop.js';
import type { DoctorOptions } from '../../../cli/doctor/doctor-options.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { examineEndpoint } from '../../support/examine-endpoint.js';

const ORIGIN = 'http://localhost:6274';

/** The resource names its own port, so that has to be known before the application is. */
async function bootDesk(
  adapter: AdapterName,
  buildOptions: (url: string) => Partial<McpOptions>,
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const serverInfo = { name: 'desk', version: '1.0.0' };
  const module = McpModule.forRoot({ serverInfo, ...buildOptions(url) });
  const platform =
    adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter({ forceCloseConnections: true });
  const app = await NestFactory.create(module, platform, { logger: false, forceCloseConnections: true });
  await app.listen(port, '127.0.0.1');
  return { app, url };
}

function examineIt(url: string, options: Partial<DoctorOptions> = {}): Promise<readonly Finding[]> {
  return examineEndpoint(url, { timeoutMs: 10_000, origin: ORIGIN, ...options });
}

const complaintsOf = (findings: readonly Finding[]) =>
  findings.filter(({ status }) => status === 'warning' || status === 'error');
const idsOf = (findings: readonly Finding[]) => findings.map(({ id }) => id);

describe.each(ADAPTERS)('"doctor" and a server of this library on %s', (adapter) => {
  let app: INestApplication;

  afterEach(() => app.close());

  async function boot(buildOptions: (url: string) => Partial<McpOptions>): Promise<string> {
    const desk = await bootDesk(adapter, buildOptions);
    app = desk.app;
    return desk.url;
  }

  it('finds an open one healthy, and leaves no session behind (KIT-03)', async () => {
    const url = await boot(() => ({}));
    const findings = await examineIt(url);
    expect(complaintsOf(findings)).toEqual([]);
    expect(idsOf(findings)).toEqual(
      expect.arrayContaining(['discover', 'handshake', 'stream-first-byte', 'host']),
    );
    expect(app.get(McpNotifier).sessions).toEqual([]);
  });

  it('names the tools of its catalog that hosts refuse, and no union of arguments (CAT-01)', async () => {
    const url = await boot(() => ({}));
    const { tools } = app.get(McpCatalog);
    tools.add(
      { name: 'union', inputSchema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) },
      () => '',
    );
    expect((await examineIt(url)).filter(({ id }) => id === 'catalog')).toMatchObject([{ status: 'ok' }]);
    tools.add({ name: 'find.it', inputSchema: z.object({ 'filter[a]': z.string() }) }, () => '');
    expect(complaintsOf(await examineIt(url))).toEqual([
      expect.objectContaining({
        id: 'catalog',
        status: 'warning',
        found: expect.stringMatching(/1 of 2 tools.*"find\.it".*name.*refused by Claude, OpenAI/),
      }),
    ]);
  });

  it('hints at a search where the list of tools is long (XTN-07)', async () => {
    const url = await boot(() => ({}));
    const { tools } = app.get(McpCatalog);
    for (let count = 0; count < 101; count += 1) {
      tools.add({ name: `tool${count}`, description: 'One of many' }, () => '');
    }
    expect(complaintsOf(await examineIt(url))).toEqual([
      expect.objectContaining({
        id: 'catalog',
        status: 'warning',
        found: expect.stringMatching(/^The list has 101 tools, \d+ KB/),
      }),
    ]);
  });

  it('tells whether hosts can show the apps of its tools, and what keeps them from it (XTN-02)', async () => {
    const url = await boot(() => ({}));
    const { tools, resources } = app.get(McpCatalog);
    const appsOf = async () => (await examineIt(url)).filter(({ id }) => id === 'apps');
    expect(await appsOf()).toEqual([]);
    resources.add({ uri: 'ui://desk/board', name: 'board' }, () => '<!doctype html><p>Board</p>');
    tools.add({ name: 'show', ui: 'ui://desk/board' }, () => '');
    expect(await appsOf()).toMatchObject([{ status: 'ok', found: 'Hosts can show 1 app' }]);
    const loading = '<!doctype html><img src="https://img.example.com/x.png">';
    resources.add({ uri: 'ui://desk/loading', name: 'loading' }, () => loading);
    tools.add({ name: 'load', ui: 'ui://desk/loading' }, () => '');
    expect(await appsOf()).toMatchObject([
      { status: 'error', found: expect.stringContaining('ui://desk/loading loads') },
    ]);
    tools.remove('load');
    tools.add({ name: 'old', _meta: { 'ui/resourceUri': 'ui://desk/board' } }, () => '');
    expect(await appsOf()).toMatchObject([{ status: 'warning', found: expect.stringContaining('old: ') }]);
  });

  it.each([
    ['by its URL', (publicUrl: string) => ({ publicUrl }), 'lists the server card', ''],
    ['by what it says', () => ({}), 'lists the server card', ''],
    [
      'not at all',
      () => ({ serverCard: { catalog: false } }),
      'The origin has no server card catalog',
      'from the host alone',
    ],
  ])('tells whether the catalog of its origin names its card, %s (XTN-05)', async (_, build, found, fix) => {
    const findings = await examineIt(await boot(build));
    expect(complaintsOf(findings)).toEqual([]);
    expect(findings.filter(({ id }) => id === 'ai-catalog')).toEqual([
      {
        id: 'ai-catalog',
        status: 'ok',
        found: expect.stringContaining(found),
        fix: expect.stringContaining(fix),
      },
    ]);
  });

  it('asks for no catalog where there is no card (XTN-05)', async () => {
    const findings = await examineIt(await boot(() => ({ serverCard: false })));
    expect(idsOf(findings)).not.toContain('ai-catalog');
  });

  it('finds one healthy that serves browsers (KIT-03)', async () => {
    const url = await boot(() => ({ cors: { origins: [ORIGIN] } }));
    const findings = await examineIt(url);
    expect(complaintsOf(findings)).toEqual([]);
    expect(idsOf(findings)).toContain('cors-exposed');
  });

  it('finds one healthy that keeps no sessions (KIT-03)', async () => {
    const findings = await examineIt(await boot(() => ({ stateless: true })));
    expect(complaintsOf(findings)).toEqual([]);
    expect(idsOf(findings)).not.toContain('stream');
  });

  describe('that asks for tokens', () => {
    let issuer: TestIssuer;

    afterEach(() => issuer.stop());

    async function bootProtected(auth: AuthOptions = {}, metadata = {}): Promise<string> {
      issuer = await TestIssuer.start();
      Object.assign(issuer.metadata, metadata, {
        authorization_endpoint: `${issuer.origin}/authorize`,
        token_endpoint: `${issuer.origin}/token`,
        registration_endpoint: `${issuer.origin}/register`,
        code_challenge_methods_supported: ['S256'],
      });
      return boot((resourceUri) => ({
        cors: { origins: [ORIGIN] },
        auth: {
          jwt: {},
          resourceUri,
          authorizationServers: [issuer.url],
          requiredScopes: ['desk:read'],
          ...auth,
        },
      }));
    }

    it('finds it healthy from without (KIT-03)', async () => {
      const findings = await examineIt(await bootProtected());
      expect(complaintsOf(findings)).toEqual([]);
      expect(idsOf(findings)).toEqual(
        expect.arrayContaining(['metadata-resource', 'server-pkce', 'server-keys']),
      );
      expect(idsOf(findings)).not.toContain('handshake');
    });

    it.each(['allowed', 'required', { mode: 'required', nonce: true }] as const)(
      'finds it healthy where tokens are bound to keys: %j (KIT-03) (XTN-03)',
      async (dpop) => {
        const url = await bootProtected({ dpop }, { dpop_signing_alg_values_supported: ['ES256'] });
        const findings = await examineIt(url);
        expect(complaintsOf(findings)).toEqual([]);
        expect(idsOf(findings)).toEqual(expect.arrayContaining(['dpop', 'dpop-servers', 'cors-exposed']));
      },
    );

    it.each(['allowed', 'required', { mode: 'required', nonce: true }] as const)(
      'finds it healthy from within, with a token that is bound to a key: %j (KIT-03) (XTN-03)',
      async (dpop) => {
        const url = await bootProtected({ dpop }, { dpop_signing_alg_values_supported: ['ES256'] });
        const key = await DpopKey.generate();
        const token = await issuer.token({ aud: url, scope: 'desk:read', cnf: { jkt: key.thumbprint } });
        const findings = await examineIt(url, { token, proof: new DpopProof(key) });
        expect(complaintsOf(findings)).toEqual([]);
        expect(findings.find(({ id }) => id === 'token')?.found).toContain('with proofs signed by its key');
        expect(idsOf(findings)).toEqual(expect.arrayContaining(['session', 'stream', 'session-end']));
      },
    );

    it('tells that it takes a key to send a token that is bound to one (KIT-03) (XTN-03)', async () => {
      const url = await bootProtected({ dpop: 'allowed' }, { dpop_signing_alg_values_supported: ['ES256'] });
      const token = await issuer.token({ aud: url, scope: 'desk:read', cnf: { jkt: 'A'.repeat(43) } });
      const [finding] = complaintsOf(await examineIt(url, { token }));
      expect([finding?.id, finding?.fix]).toEqual(['token', expect.stringContaining('It is bound to a key')]);
    });

    it('tells that nobody gives the tokens that it wants (KIT-03) (XTN-03)', async () => {
      const url = await bootProtected({ dpop: 'required' });
      expect(complaintsOf(await examineIt(url))).toMatchObject([{ id: 'dpop-servers', status: 'error' }]);
    });

    it('finds it healthy from within (KIT-03)', async () => {
      const url = await bootProtected();
      const token = await issuer.token({ aud: url, scope: 'desk:read' });
      const findings = await examineIt(url, { token });
      expect(complaintsOf(findings)).toEqual([]);
      expect(idsOf(findings)).toEqual(expect.arrayContaining(['token-audience', 'handshake', 'session-end']));
    });

    it.each([
      ['audience', { aud: 'https://elsewhere.example.com' }],
      ['issuer', { iss: 'https://login.elsewhere.example.com' }],
      ['lifetime', { exp: 1_700_000_000 }],
    ])('tells that a token is refused for its %s (KIT-03)', async (name, claims) => {
      const url = await bootProtected();
      const token = await issuer.token({ aud: url, scope: 'desk:read', ...claims });
      const findings = await examineIt(url, { token });
      expect(idsOf(complaintsOf(findings))).toEqual(['token', `token-${name}`]);
      expect(JSON.stringify(findings)).not.toContain(token);
    });

    it('tells which scope a token lacks (KIT-03)', async () => {
      const url = await bootProtected();
      const token = await issuer.token({ aud: url, scope: 'mail' });
      const findings = complaintsOf(await examineIt(url, { token }));
      expect(idsOf(findings)).toEqual(['token', 'token-scope']);
      expect(findings[0]?.found).toContain('insufficient_scope');
      expect(findings[1]?.found).toContain('desk:read');
    });
  });
});
