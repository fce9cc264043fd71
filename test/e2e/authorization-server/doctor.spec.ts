import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describeServers, examineForProduction, McpModule } from 'nestjs-mcp';
import {
  McpAuthorizationServerModule,
  upstreams,
  type AuthorizationServerOptions,
} from 'nestjs-mcp/authorization-server';
import { ADAPTERS } from '../../support/applications/boot.js';
import {
  AuthorizationServerScene,
  SharedStorage,
} from '../../support/authorization/authorization-server-scene.js';
import { examineEndpoint, selectIds } from '../../support/examine-endpoint.js';

const SECRET = 'q7Yb2mVx9LkTzR4cWnE8sUaH1dJfGp0o';

describe.each(ADAPTERS)('The doctor before the authorization server on %s', (adapter) => {
  let scene: AuthorizationServerScene;

  afterEach(() => scene.stop());

  const examine = async (server: Partial<AuthorizationServerOptions> = {}) => {
    scene = await AuthorizationServerScene.start({ adapter, server });
    return examineEndpoint(scene.resource);
  };

  it('finds its metadata, issuer, PKCE, "iss", registration and keys in order (KIT-03) (AS-01)', async () => {
    const findings = await examine();
    expect(selectIds(findings, 'warning', 'error')).toEqual([]);
    expect(findings.filter(({ id }) => id.startsWith('server-'))).toMatchObject([
      { id: 'server-metadata' },
      { id: 'server-issuer', found: '"issuer" matches the resource metadata' },
      { id: 'server-endpoints' },
      { id: 'server-pkce', found: 'PKCE with S256 is supported' },
      { id: 'server-iss', found: 'Authorization responses contain "iss"' },
      {
        id: 'server-registration',
        found: 'Clients register with client ID metadata documents or dynamic registration',
      },
      { id: 'server-keys', found: '3 public keys for signatures' },
      { id: 'server-card' },
    ]);
  });

  it('finds how clients can register, as it is configured (KIT-03) (AS-01)', async () => {
    const findings = await examine({ registration: false });
    expect(findings.find(({ id }) => id === 'server-registration')).toMatchObject({
      status: 'ok',
      found: 'Clients register with client ID metadata documents',
    });
    await scene.stop();
    const closed = await examine({ registration: false, clientDocuments: false });
    expect(selectIds(closed, 'warning', 'error')).toEqual(['server-registration']);
  });
});

describe('examineForProduction() with an authorization server', () => {
  let app: INestApplication | undefined;

  afterEach(() => app?.close());

  const examine = async (changes: Partial<AuthorizationServerOptions> | undefined) => {
    const login = {
      issuer: 'https://shop.example.com/oauth',
      resources: { 'https://shop.example.com/mcp': { shop: 'Buy' } },
      upstream: upstreams.google({ clientId: 'shop', clientSecret: SECRET }),
      grantScopes: () => ['shop'],
      secret: SECRET,
      storage: new SharedStorage(),
      ...changes,
    };
    const server = McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } });
    const root = {
      module: class AppModule {},
      imports: [server, ...(changes === undefined ? [] : [McpAuthorizationServerModule.forRoot(login)])],
    };
    app = await NestFactory.create(root, { logger: false, abortOnError: false });
    return examineForProduction(app).filter(({ id }) => id.startsWith('login-'));
  };

  it('is content with one that is ready, and reports how many clients can register (KIT-03) (AS-03)', async () => {
    await expect(examine({})).resolves.toMatchObject([
      { id: 'login-issuer', status: 'ok' },
      { id: 'login-storage', status: 'ok' },
      { id: 'login-clients', status: 'ok', found: expect.stringContaining('At most 30 clients') },
    ]);
    await app?.close();
    const [, , registration] = await examine({ registration: false });
    expect(registration).toMatchObject({ status: 'ok', found: 'Clients cannot register themselves' });
  });

  it.each([
    ['login-storage', { storage: undefined as never }],
    ['login-issuer', { issuer: 'http://127.0.0.1:3000/oauth' }],
  ])('has an error "%s" for %j (KIT-03) (AS-03)', async (id, changes) => {
    const findings = await examine(changes);
    expect(selectIds(findings, 'error')).toEqual([id]);
    expect(selectIds(findings, 'ok')).toHaveLength(2);
  });

  it('examines an application that has only an authorization server (KIT-03) (AS-03)', async () => {
    const login = {
      issuer: 'https://shop.example.com/oauth',
      resources: { 'https://shop.example.com/mcp': { shop: 'Buy' } },
      upstream: upstreams.google({ clientId: 'shop', clientSecret: SECRET }),
      grantScopes: () => ['shop'],
      secret: SECRET,
    };
    const root = { module: class AppModule {}, imports: [McpAuthorizationServerModule.forRoot(login)] };
    app = await NestFactory.create(root, { logger: false, abortOnError: false });
    const findings = examineForProduction(app);
    expect(selectIds(findings, 'error')).toContain('login-storage');
    const ids = findings.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['login-issuer', 'login-storage', 'login-clients']);
    expect(findings.find(({ id }) => id === 'trust-proxy')).toMatchObject({ status: 'warning' });
    for (const id of ['rate-limits', 'audit']) expect(ids).not.toContain(id);
    expect(describeServers(app)).toEqual([]);
  });

  it('reports nothing without one (KIT-03)', async () => {
    await expect(examine(undefined)).resolves.toEqual([]);
    await expect(examine({})).resolves.toHaveLength(3);
  });
});
