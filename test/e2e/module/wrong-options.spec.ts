import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpConfigurationError, McpModule, Resource, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';

const INFO = { name: 'desk', version: '1.0.0' };

/** What is wrong, and the option that the error has to name. */
const WRONG: [given: Record<string, unknown>, option: string][] = [
  [{ serverInfo: undefined }, 'serverInfo'],
  [{ serverInfo: 'desk' }, 'serverInfo'],
  [{ serverInfo: { version: '1' } }, 'serverInfo.name'],
  [{ serverInfo: { name: '', version: '1' } }, 'serverInfo.name'],
  [{ serverInfo: { name: 'desk' } }, 'serverInfo.version'],
  [{ serverInfo: { ...INFO, websiteUrl: 'desk' } }, 'serverInfo.websiteUrl'],
  [{ instructions: 5 }, 'instructions'],
  [{ mcpPath: 'mcp' }, 'mcpPath'],
  [{ mcpPath: '/mcp/' }, 'mcpPath'],
  [{ mcpPath: '/' }, 'mcpPath'],
  [{ mcpPath: '' }, 'mcpPath'],
  [{ mcpPath: '/mcp?x=1' }, 'mcpPath'],
  [{ mcpPath: '/:tenant/mcp' }, 'mcpPath'],
  [{ mcpPath: 'http://127.0.0.1/mcp' }, 'mcpPath'],
  [{ useGlobalPrefix: 'yes' }, 'useGlobalPrefix'],
  [{ globalEnhancers: 1 }, 'globalEnhancers'],
  [{ exposeErrors: 'true' }, 'exposeErrors'],
  [{ capabilities: { tools: {} } }, 'capabilities.tools'],
  [{ capabilities: { sampling: true } }, 'capabilities.sampling'],
  [{ pageSize: 0 }, 'pageSize'],
  [{ pageSize: 1.5 }, 'pageSize'],
  [{ pageSize: '10' }, 'pageSize'],
  [{ pageSize: Number.NaN }, 'pageSize'],
  [{ cache: { tools: { ttlMs: -1, scope: 'public' } } }, 'cache.tools.ttlMs'],
  [{ cache: { tools: { ttlMs: 1, scope: 'shared' } } }, 'cache.tools.scope'],
  [{ cache: { tools: 60 } }, 'cache.tools'],
  [{ cache: { lists: { ttlMs: 1, scope: 'public' } } }, 'cache.lists'],
  [{ callTimeoutMs: -1 }, 'callTimeoutMs'],
  [{ callTimeoutMs: Number.POSITIVE_INFINITY }, 'callTimeoutMs'],
  [{ callTimeoutMs: 2 ** 31 }, 'callTimeoutMs'],
  [{ sessions: { idleTimeoutMs: 0 } }, 'sessions.idleTimeoutMs'],
  [{ sessions: { maxSessions: -5 } }, 'sessions.maxSessions'],
  [{ sessions: { maxSubscriptions: '10' } }, 'sessions.maxSubscriptions'],
  [{ sessions: { eventLogSize: 0.5 } }, 'sessions.eventLogSize'],
  [{ sessions: { timeout: 10 } }, 'sessions.timeout'],
  [{ sessions: true }, 'sessions'],
  [{ streams: { keepAliveMs: 0 } }, 'streams.keepAliveMs'],
  [{ streams: { maxQueuedBytes: -1 } }, 'streams.maxQueuedBytes'],
  [{ streams: { maxListeners: null } }, 'streams.maxListeners'],
  [{ limits: { bodyBytes: 0 } }, 'limits.bodyBytes'],
  [{ limits: { batchSize: '5' } }, 'limits.batchSize'],
  [{ limits: { requestsInFlight: 0 } }, 'limits.requestsInFlight'],
  [{ limits: { contentTypes: 'application/json' } }, 'limits.contentTypes'],
  [{ limits: { contentTypes: [''] } }, 'limits.contentTypes'],
  [{ publicUrl: 'desk.example.com' }, 'publicUrl'],
  [{ publicUrl: 'ftp://desk.example.com/mcp' }, 'publicUrl'],
  [{ allowedOrigins: 'https://app.example.com' }, 'allowedOrigins'],
  [{ allowedOrigins: ['app.example.com'] }, 'allowedOrigins'],
  [{ allowedOrigins: ['https://app.example.com/'] }, 'allowedOrigins'],
  [{ allowedHosts: ['https://desk.example.com'] }, 'allowedHosts'],
  [{ allowedHosts: 'desk.example.com' }, 'allowedHosts'],
  [{ cors: 'on' }, 'cors'],
  [{ cors: {} }, 'cors.origins'],
  [{ cors: { origins: ['app'] } }, 'cors.origins'],
  [{ cors: { origins: ['*'], maxAgeSeconds: -1 } }, 'cors.maxAgeSeconds'],
  [{ mcppath: '/mcp' }, 'mcppath'],
  [{ stateles: true }, 'stateles'],
  [{ constructor: 1 }, 'constructor'],
];

@Injectable()
class OneSearch {
  @Tool({ name: 'search', description: 'Searches' })
  search(): string {
    return 'one';
  }
}

@Injectable()
class OtherSearch {
  @Tool({ name: 'search', description: 'Searches too' })
  find(): string {
    return 'other';
  }
}

@Injectable()
class BadName {
  @Tool({ name: 'find it!', description: 'Has no proper name' })
  findIt(): string {
    return 'never';
  }
}

@Injectable()
class BadUri {
  @Resource({ uri: 'not a uri' })
  nowhere(): string {
    return 'never';
  }
}

describe.each(ADAPTERS)('wrong options on %s', (adapter) => {
  const boot = (given: Record<string, unknown>) =>
    bootFailure({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: INFO, ...given })],
    });

  it.each(WRONG)('%j keeps the application from starting and names "%s" (MOD-11)', async (given, option) => {
    const failure = await boot(given);
    expect(failure).toBeInstanceOf(McpConfigurationError);
    expect(failure.message).toMatch(new RegExp(`"${option.replaceAll('.', '\\.')}(\\[\\d+\\])?"`));
  });

  it('say what to write instead (MOD-11)', async () => {
    expect((await boot({ mcpPath: 'mcp' })).message).toContain('"/mcp"');
    expect((await boot({ publicUrl: 'desk' })).message).toContain('https://');
    expect((await boot({ page: 1 })).message).toContain('pageSize');
    expect((await boot({ sessions: { idle: 1 } })).message).toContain('idleTimeoutMs');
  });

  it.each<[string, Record<string, unknown>]>([
    ['no option but the name', {}],
    ['options that are undefined', { mcpPath: undefined, sessions: undefined, cors: undefined }],
    [
      'every option',
      { mcpPath: '/a/b', pageSize: 5, sessions: {}, streams: {}, limits: {}, cache: {}, cors: false },
    ],
  ])('are none of these: %s (MOD-11)', async (_, given) => {
    const desk = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo: INFO, ...given })],
    });
    await desk.close();
    expect(desk.port).toBeGreaterThan(0);
  });

  it.each<[string, RegExp, ...(new () => object)[]]>([
    ['two tools of one name', /"OtherSearch\.find".*"search".*"OneSearch\.search"/, OneSearch, OtherSearch],
    ['a tool without a proper name', /"BadName\.findIt".*find it!/, BadName],
    ['a resource without a proper URI', /"BadUri\.nowhere".*not a uri/, BadUri],
  ])('%s keep the application from starting (CORE-08, MOD-11)', async (_, message, ...providers) => {
    const imports = [McpModule.forRoot({ serverInfo: INFO })];
    expect((await bootFailure({ adapter, imports, providers })).message).toMatch(message);
  });
});
