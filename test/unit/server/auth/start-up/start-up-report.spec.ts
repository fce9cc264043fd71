import { Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdvertisedScopes, DeclaredAccess } from '../../../../../lib/server/auth/access/declared-access.js';
import { StartUpReport } from '../../../../../lib/server/auth/start-up/start-up-report.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { AUTHORIZATION_SERVER_FACTS } from '../../../../../lib/server/settings/mcp.constants.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildSettings } from '../../../support/settings.js';

const RESOURCE = 'https://desk.example.com/mcp';
const LOGIN = 'https://login.example.com';
const PUBLISHED = { resourceUri: RESOURCE, authorizationServers: [LOGIN], jwt: {} } as const;
const INTROSPECTION = { clientId: 'desk', clientSecret: 'hush' };
const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';
const { NODE_ENV } = process.env;

let log: RecordedLog;
let catalog: TestCatalog;

beforeEach(() => {
  log = new RecordedLog();
  Logger.overrideLogger(log);
  catalog = new TestCatalog();
});

afterEach(() => {
  Logger.overrideLogger(false);
  process.env['NODE_ENV'] = NODE_ENV;
});

function createHost(): HttpAdapterHost {
  const host = new HttpAdapterHost();
  host.httpAdapter = new ExpressAdapter();
  return host;
}

/** The modules of an application with these authorization servers. */
function buildModules(servers: readonly object[]): ReadonlyMap<number, object> {
  return new Map(
    servers.map((instance, index) => [
      index,
      { providers: new Map([[AUTHORIZATION_SERVER_FACTS, { instance }]]) },
    ]),
  );
}

function start(auth?: AuthOptions, host = createHost(), servers: readonly object[] = []): void {
  const { tools, resources, templates, prompts, completions, addedScopes } = catalog;
  const settings = buildSettings(auth === undefined ? {} : { auth });
  const declared = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
  const advertised = new AdvertisedScopes(settings, declared);
  const identity = { server: 'desk', isDefault: false };
  new StartUpReport(settings, identity, { path: '/mcp' }, class MetadataController {}, declared, advertised, {
    host,
    moduleRef: { get: () => buildModules(servers) } as never,
  }).onApplicationBootstrap();
}

/** Gives the lines below the first of what a server reports. */
function report(auth: AuthOptions, ...servers: readonly object[]): readonly string[] {
  start(auth, createHost(), servers);
  expect(log.lines).toHaveLength(1);
  const [first, ...rest] =
    log
      .find('log')[0]
      ?.replace(/ McpAuth$/, '')
      .split('\n') ?? [];
  expect(first).toBe('Server "desk" requires tokens');
  return rest;
}

describe('What a protected server reports when it starts', () => {
  it('is what has to be registered, in columns (AUTH-19)', () => {
    catalog.entries.tools.add({ name: 'close', requiredScopes: ['desk:write', 'desk:read'] }, () => '');
    const jwt = { scopePrefix: 'api://desk/' };
    const options = { ...PUBLISHED, jwt, requiredScopes: ['desk:read'], scopesSupported: ['desk:more'] };
    expect(report(options)).toEqual([
      `  audience to register       ${RESOURCE}`,
      `  trusted issuers            ${LOGIN}`,
      `  metadata for clients       ${METADATA}`,
      '  scopes to define           desk:read desk:write desk:more',
      '  requested with the prefix  api://desk/',
    ]);
  });

  it('has templates of scopes, and handlers whose scopes a function tells, apart from the others (XTN-04)', () => {
    const { entries } = catalog;
    const inputSchema = { type: 'object', properties: { project: { type: 'string' } } } as const;
    const open = ['project:{project}:read', 'desk:read'];
    entries.tools.add({ name: 'open', inputSchema, requiredScopes: open }, () => '');
    entries.tools.add({ name: 'show', inputSchema, requiredScopes: open }, () => '');
    entries.tools.add({ name: 'move', requiredScopes: [() => 'project:alpha:write'] }, () => '');
    expect(report(PUBLISHED).slice(3)).toEqual([
      '  scopes to define       desk:read',
      '  call-dependent scopes  project:{project}:read (computed for move)',
    ]);
  });

  describe('beside an authorization server', () => {
    const own = (resources: object) => ({ issuer: LOGIN, resources });
    const options = { ...PUBLISHED, requiredScopes: ['desk:read', 'desk:write'] };

    it('is nothing to register, if that server issues all tokens (AS-01) (AUTH-19)', () => {
      expect(report(options, own({ [RESOURCE]: { 'desk:read': '', 'desk:write': '' } }))).toEqual([
        `  audience              ${RESOURCE}`,
        `  trusted issuers       ${LOGIN}`,
        `  metadata for clients  ${METADATA}`,
      ]);
    });

    it.each([
      [{ [RESOURCE]: { 'desk:read': '' } }, 'desk:write'],
      [{ 'https://desk.example.com': {} }, RESOURCE],
    ])('is what its "resources" lack: %j (AS-01) (AUTH-19)', (resources, missing) => {
      expect(report(options, own(resources)).at(-1)).toBe(`  missing in "resources"  ${missing}`);
    });

    it('is what other issuers need (AS-01) (AUTH-19)', () => {
      const other = { issuer: 'https://shop.example.com/oauth', resources: {} };
      expect(report(options, other).at(-1)).toBe('  scopes to define      desk:read desk:write');
    });
  });

  it('leaves out what there is not (AUTH-19)', () => {
    expect(report(PUBLISHED)).toEqual([
      `  audience to register  ${RESOURCE}`,
      `  trusted issuers       ${LOGIN}`,
      `  metadata for clients  ${METADATA}`,
    ]);
  });

  it('has every audience and issuer of the validators once (AUTH-19)', () => {
    const lines = report({
      resourceUri: RESOURCE,
      authorizationServers: [LOGIN],
      jwt: [
        { audience: ['desk', 'api'], issuer: 'https://a.example.com' },
        { audience: 'desk', issuer: ['https://b.example.com', 'https://a.example.com'] },
      ],
      introspection: { ...INTROSPECTION, audience: ['api', 'opaque'] },
    });
    expect(lines.slice(0, 2)).toEqual([
      '  audience to register  desk api opaque',
      `  trusted issuers       https://a.example.com https://b.example.com ${LOGIN}`,
    ]);
  });

  it('has the audience and the authorization servers where no validator names one (AUTH-19)', () => {
    const servers = [LOGIN, 'https://other.example.com'];
    const validator = { validate: () => undefined };
    expect(report({ resourceUri: RESOURCE, authorizationServers: servers, validator }).slice(0, 2)).toEqual([
      `  audience to register  ${RESOURCE}`,
      `  trusted issuers       ${servers.join(' ')}`,
    ]);
  });

  it.each<[string, AuthOptions]>([
    ['auth.bearer', { bearer: 'a-fixed-token-of-the-desk' }],
    ['auth.validator', { validator: { validate: () => undefined } }],
    [
      'auth.bearer auth.validator',
      { bearer: 'a-fixed-token-of-the-desk', validator: { validate: () => undefined } },
    ],
  ])('is %s, where clients get their tokens in other ways (AUTH-19)', (methods, auth) => {
    expect(report(auth)).toEqual([`  token validation  ${methods}`]);
  });

  it('is followed by what looks wrong, a warning each (AUTH-19)', () => {
    start({ ...PUBLISHED, resourceUri: 'http://desk.example.com/mcp', requiredScopes: ['openid'] });
    expect(log.lines.map(({ level }) => level)).toEqual(['log', 'warn', 'warn']);
    for (const line of log.find('warn')) expect(line).toMatch(/^Server "desk": "auth\..* McpAuth$/);
  });

  it('warns of the own machine and of another path by where it runs (AUTH-19)', () => {
    const local = { ...PUBLISHED, resourceUri: 'http://localhost:3000/mcp' };
    process.env['NODE_ENV'] = 'development';
    start(local);
    expect(log.find('warn')).toEqual([]);
    process.env['NODE_ENV'] = 'production';
    start(local);
    expect(log.find('warn')).toEqual([expect.stringContaining('points clients to their own machine')]);
    log.clear();
    start({ ...PUBLISHED, resourceUri: 'https://desk.example.com/desk' });
    expect(log.find('warn')).toEqual([expect.stringContaining('the endpoint is at "/mcp"')]);
  });

  it.each([undefined, null])('is nothing where nobody is served: the adapter is %s (AUTH-19)', (adapter) => {
    const host = new HttpAdapterHost();
    if (adapter === null) host.httpAdapter = adapter as never;
    start({ ...PUBLISHED, requiredScopes: ['openid'] }, host);
    expect(log.lines).toEqual([]);
  });
});

describe('An open server', () => {
  it('starts without a word (AUTH-01)', () => {
    catalog.entries.tools.add({ name: 'hours', isPublic: true }, () => '');
    expect(() => start()).not.toThrow();
    expect(log.lines).toEqual([]);
  });

  it('does not start where handlers require scopes (AUTH-01)', () => {
    catalog.entries.tools.add({ name: 'close', requiredScopes: ['desk:write', 'desk:read'] }, () => '');
    expect(() => start()).toThrow(McpConfigurationError);
    expect(() => start(undefined, new HttpAdapterHost())).toThrow(
      'The MCP option "auth" is missing: handlers require "desk:write", "desk:read", but callers without tokens have no scopes: set "auth", or remove "RequireScope"',
    );
  });
});
