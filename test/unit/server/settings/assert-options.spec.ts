import { describe, expect, it } from '@jest/globals';
import { assertOptions, type McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { McpConfigurationError } from '../../../../lib/server/settings/mcp-configuration.error.js';

const serverInfo = { name: 'desk', version: '1.0.0' };
const ICON = { src: 'https://a.example/a' };
const HINT = { ttlMs: 1, scope: 'public' };

const EVERYTHING = {
  serverInfo: {
    ...serverInfo,
    title: 'Desk',
    description: 'A desk',
    websiteUrl: 'https://desk.example.com',
    icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
  },
  instructions: 'Search first.',
  mcpPath: '/api/v1/mcp.desk~1',
  useGlobalPrefix: true,
  globalEnhancers: true,
  exposeErrors: true,
  capabilities: { tools: true, prompts: false, resources: true, completions: true, logging: false },
  stateless: true,
  sse: false,
  pageSize: 1,
  cache: {
    discover: HINT,
    tools: HINT,
    prompts: HINT,
    resources: HINT,
    resourceTemplates: HINT,
    resourceContents: { ttlMs: 0, scope: 'private' },
  },
  callTimeoutMs: 2 ** 31 - 1,
  sessions: {
    idleTimeoutMs: 1,
    maxSessions: 1,
    maxSubscriptions: 1,
    eventLogSize: 0,
    eventLogCharacters: 0,
  },
  streams: { keepAliveMs: 1, maxQueuedBytes: 1, maxListeners: 1 },
  limits: {
    bodyBytes: 1,
    bodyValues: 1,
    bodyDepth: 1,
    transferTimeoutMs: 1,
    batchSize: 1,
    requestsInFlight: 1,
    resourceBytes: 1,
    resultBytes: 1024,
    contentTypes: ['application/json', 'application/json-rpc'],
  },
  memory: {
    maxBytes: 1,
    maxBytesPerCaller: 1,
    maxAnonymousBytes: 1,
    maxBytesPerAddress: 1,
  },
  throttle: { methods: ['ping'], onStorageError: 'deny' },
  publicUrl: 'https://desk.example.com/mcp',
  allowedOrigins: ['https://app.example.com', 'http://localhost:3000', '*'],
  allowedHosts: ['desk.example.com', 'desk.example.com:8080', '[::1]:3000'],
  cors: { origins: ['https://app.example.com'], maxAgeSeconds: 0 },
};

function catchFault(options: unknown): McpConfigurationError {
  try {
    assertOptions(options);
  } catch (error) {
    if (error instanceof McpConfigurationError) return error;
    throw error;
  }
  throw new Error('Expected the options to be refused');
}

type Fault = readonly [option: string, options: unknown, says: RegExp];

const WRONG_TEXTS: readonly Fault[] = [
  ['options', undefined, /must be an object/],
  ['options', null, /must be an object/],
  ['options', [], /must be an object/],
  ['serverInfo', {}, /is required/],
  ['serverInfo', { serverInfo: undefined }, /is required/],
  ['serverInfo', { serverInfo: 'desk' }, /must be an object/],
  ['serverInfo.name', { serverInfo: { version: '1' } }, /is required/],
  ['serverInfo.name', { serverInfo: { name: '', version: '1' } }, /must be a non-empty string/],
  ['serverInfo.version', { serverInfo: { name: 'desk' } }, /is required/],
  ['serverInfo.version', { serverInfo: { name: 'desk', version: 1 } }, /must be a non-empty string/],
  ['serverInfo.title', { serverInfo: { ...serverInfo, title: '' } }, /must be a non-empty string/],
  ['serverInfo.description', { serverInfo: { ...serverInfo, description: 7 } }, /must be a non-empty string/],
  ['serverInfo.websiteUrl', { serverInfo: { ...serverInfo, websiteUrl: 'desk' } }, /must be a URL such as/],
  ['serverInfo.icons', { serverInfo: { ...serverInfo, icons: {} } }, /must be an array/],
  ['serverInfo.icons[0]', { serverInfo: { ...serverInfo, icons: ['a.png'] } }, /must be an object/],
  ['serverInfo.icons[0].src', { serverInfo: { ...serverInfo, icons: [{}] } }, /is required/],
  [
    'serverInfo.icons[1].sizes',
    { serverInfo: { ...serverInfo, icons: [ICON, { ...ICON, sizes: '48x48' }] } },
    /must be an array/,
  ],
  [
    'serverInfo.icons[0].theme',
    { serverInfo: { ...serverInfo, icons: [{ ...ICON, theme: 'blue' }] } },
    /must be "light" or "dark"/,
  ],
  ['serverInfo.url', { serverInfo: { ...serverInfo, url: 'x' } }, /not a known option: use one of name,/],
];

/** Values of members of the options that are wrong, whatever the rest. */
const WRONG_MEMBERS: readonly (readonly [option: string, values: readonly unknown[], says: RegExp])[] = [
  ['instructions', ['', 7, null], /must be a non-empty string/],
  [
    'mcpPath',
    ['', 'mcp', '/', '/mcp/', '//mcp', '/a b', '/mcp?x', '/:id', '/*', '/mcp(1)', '/mcp+', '/!', 7],
    /must be a path such as "\/mcp"/,
  ],
  ['mcpPath', ['/../mcp', '/./mcp', '/mcp/..'], /must be a path such as "\/mcp", .*without "\." and "\.\."/],
  ['useGlobalPrefix', ['yes', 1, null], /must be true or false/],
  ['exposeErrors', ['true'], /must be true or false/],
  ['stateless', ['yes', 1, null], /must be true or false/],
  ['sse', ['/sse', 1, null, []], /must be an object/],
  ['sse.path', ['sse', '/', '/sse/', 7], /must be a path such as/],
  ['sse.path', ['/mcp', '/MCP'], /must be a different path than "mcpPath"/],
  ['sse.heartbeat', [1], /is not a known option: use one of path/],
  ['capabilities', [true, []], /must be an object/],
  ['capabilities.tools', [{}, 'yes'], /must be true or false/],
  ['capabilities.roots', [true], /is not a known option: use one of tools, prompts/],
  ['arguments.repair', ['yes', 1, null], /must be true or false/],
  ['pageSize', [0, -1, 1.5, '10', Number.NaN, Infinity], /must be a whole number greater than 0/],
  ['cache', ['public'], /must be an object/],
  ['cache.tools', [60_000], /must be an object/],
  ['cache.tools.ttlMs', [undefined, -1, '1'], /is required|must be a whole number, 0 or greater/],
  ['cache.resourceContents.scope', [undefined, 'shared'], /is required|must be "public" or "private"/],
  ['callTimeoutMs', [0, '5s', null], /must be a whole number greater than 0/],
  ['callTimeoutMs', [2 ** 31], /must be at most 2147483647/],
  ['sessions', [false], /must be an object/],
  ['sessions.idleTimeoutMs', [0, Infinity, '30m'], /must be a whole number greater than 0/],
  ['sessions.idleTimeoutMs', [2 ** 31], /must be at most/],
  ['sessions.maxSessions', [0, -1], /must be a whole number greater than 0/],
  ['sessions.maxSubscriptions', [0], /must be a whole number greater than 0/],
  ['sessions.maxSubscriptionCharacters', [0, '1MB'], /must be a whole number greater than 0/],
  ['sessions.eventLogSize', [-1, 0.5], /must be a whole number, 0 or greater/],
  ['sessions.eventLogCharacters', [-1], /must be a whole number, 0 or greater/],
  ['sessions.timeout', [1], /is not a known option: use one of idleTimeoutMs/],
  ['streams.beginAfterMs', [-1, 0.5, Infinity, false, '1s'], /must be a whole number, 0 or greater/],
  ['streams.beginAfterMs', [2 ** 31], /must be at most 2147483647/],
  ['streams.keepAliveMs', [0, 2 ** 31], /must be/],
  ['streams.maxQueuedBytes', [0], /must be a whole number greater than 0/],
  ['streams.maxAgeMs', [-1, 0.5], /must be a whole number, 0 or greater/],
  ['streams.maxAgeMs', [2 ** 31], /must be at most 2147483647/],
  ['streams.maxListeners', [0], /must be a whole number greater than 0/],
  ['streams.maxListenersPerCaller', [0, 1.5], /must be a whole number greater than 0/],
  ['limits.bodyBytes', ['4mb', 0], /must be a whole number greater than 0/],
  ['limits.bodyValues', [0, 1.5], /must be a whole number greater than 0/],
  ['limits.bodyDepth', [0, '8'], /must be a whole number greater than 0/],
  ['memory.maxBytes', [0, '64mb'], /must be a whole number greater than 0/],
  ['memory.maxBytesPerCaller', [0], /must be a whole number greater than 0/],
  ['memory.maxAnonymousBytes', [-1], /must be a whole number greater than 0/],
  ['memory.maxBytesPerAddress', [0.5], /must be a whole number greater than 0/],
  ['limits.transferTimeoutMs', [0, '60s'], /must be a whole number greater than 0/],
  ['limits.batchSize', [0], /must be a whole number greater than 0/],
  ['limits.requestsInFlight', [0], /must be a whole number greater than 0/],
  ['limits.resourceBytes', [0], /must be a whole number greater than 0/],
  ['limits.resultBytes', [1023, 2000.5, '4kB'], /must be a whole number of bytes, 1024 or more/],
  ['throttle', ['yes', 7], /must be an object with methods, onStorageError/],
  ['throttle.methods', ['ping'], /must be an array/],
  ['throttle.onStorageError', ['admit'], /must be "allow" or "deny"/],
  ['throttle.limit', [3], /is not a known option/],
  ['limits.contentTypes', ['application/json'], /must be an array/],
  ['limits.contentTypes', [[]], /must not be empty: omit it instead/],
  ['publicUrl', ['desk.example.com', 'ftp://desk', '', 7], /must be a URL such as/],
  ['publicUrl', ['https://ada:hunter2@desk.example.com/mcp'], /must not contain a user or password/],
  ['allowedOrigins', ['https://app.example.com'], /must be an array/],
  ['allowedHosts', ['desk.example.com'], /must be an array/],
  ['cors', ['*', null, []], /must be an object/],
  ['cors.origins', [undefined, '*'], /is required|must be an array/],
  ['cors.maxAgeSeconds', [-1], /must be a whole number, 0 or greater/],
  ['path', ['/mcp'], /is not a known option$/],
  ['constructor', [1], /is not a known option/],
  ['toString', [1], /is not a known option/],
];

/** Members of lists that are wrong. */
const WRONG_ITEMS: readonly (readonly [option: string, items: readonly unknown[], says: RegExp])[] = [
  [
    'allowedOrigins',
    ['app.example.com', 'https://app.example.com/', 'null', ''],
    /must be an origin such as/,
  ],
  ['allowedHosts', ['https://desk', 'desk/mcp', 'a b', '::1', ''], /must be a host name such as/],
  [
    'limits.contentTypes',
    ['', 7, 'json', 'application/json; charset=utf-8', 'application/*'],
    /must be a media type such as "application\/json", without parameters/,
  ],
  ['cors.origins', ['app.example.com'], /must be an origin such as/],
];

const put = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

/** A hint is right but for the member in question. */
function buildOptions(option: string, value: unknown): object {
  const [area = '', list = '', member] = option.split('.');
  const isHint = area === 'cache' && member !== undefined;
  const nested = isHint ? { cache: { [list]: { ...HINT, [member]: value } } } : put(option, value);
  const isCors = option === 'cors.maxAgeSeconds';
  return { serverInfo, ...(isCors ? { cors: { origins: [], maxAgeSeconds: value } } : (nested as object)) };
}

const FAULTS: readonly Fault[] = [
  ...WRONG_TEXTS,
  ...WRONG_MEMBERS.flatMap(([option, values, says]) =>
    values.map((value): Fault => [option, buildOptions(option, value), says]),
  ),
  ...WRONG_ITEMS.flatMap(([option, items, says]) =>
    items.map((item): Fault => [`${option}[1]`, buildOptions(option, [firstItemOf(option), item]), says]),
  ),
];

function firstItemOf(option: string): string {
  if (option === 'limits.contentTypes') return 'application/json';
  return option === 'allowedHosts' ? 'desk.example.com' : 'https://ok.example.com';
}

describe('assertOptions', () => {
  it.each(FAULTS)('names the option "%s" of %j (MOD-11)', (option, options, says) => {
    const fault = catchFault(options);
    expect(fault.option).toBe(option);
    expect(fault.message).toContain(`"${option}"`);
    expect(fault.message).toMatch(says);
    expect(fault.message).not.toMatch(/\.$/);
  });

  it.each([
    ['path', ' (did you mean "mcpPath"?)'],
    ['callTimeout', ' (did you mean "callTimeoutMs"?)'],
    ['statless', ' (did you mean "stateless"?)'],
    ['corsOptions', ' (did you mean "cors"?)'],
    ['sessions.idleTimeout', ' (did you mean "sessions.idleTimeoutMs"?)'],
    ['limits.byte', ''],
    ['color', '', ': similar options are '],
    ['ms', ''],
  ])('names the option that "%s" probably means, if one is near (MOD-11)', (option, meant, others = '') => {
    const { message } = catchFault({ serverInfo, ...(put(option, 1) as object) });
    expect(message).toContain(`"${option}"${meant} is not a known option${others}`);
  });

  it('passes every option there is (MOD-11)', () => {
    expect(() => assertOptions(EVERYTHING)).not.toThrow();
    const _isTyped: McpOptions = EVERYTHING as McpOptions;
    expect(_isTyped.serverInfo.name).toBe('desk');
  });

  it.each([
    {},
    { cors: true },
    { cors: false },
    { sse: true },
    { sse: {} },
    { sse: { path: '/mcp/sse' } },
    { mcpPath: '/sse', sse: { path: '/old' } },
    { stateless: true, sse: false },
    { instructions: undefined, sessions: { idleTimeoutMs: undefined } },
  ])('passes %j beside the server (MOD-11)', (options) => {
    expect(() => assertOptions({ serverInfo, ...options })).not.toThrow();
  });

  it.each([
    ['sessions.recover', { secret: 's'.repeat(32), sessions: { recover: true } }],
    ['sse', { sse: true }],
    ['sse', { sse: {} }],
  ])('refuses "%s" with "stateless": nothing is kept there (STLS-01)', (option, options) => {
    const fault = catchFault({ serverInfo, stateless: true, ...options });
    expect([fault.option, fault.message]).toEqual([option, expect.stringContaining('"stateless"')]);
  });

  it('refuses a path of HTTP+SSE that is the endpoint itself (SSE-01)', () => {
    const fault = catchFault({ serverInfo, mcpPath: '/sse', sse: true });
    expect([fault.option, fault.message]).toEqual(['sse.path', expect.stringContaining('"mcpPath"')]);
  });

  it('takes options from a class with getters (MOD-11)', () => {
    class Configured {
      get serverInfo() {
        return serverInfo;
      }
      get pageSize() {
        return 0;
      }
    }
    expect(catchFault(new Configured()).option).toBe('pageSize');
  });

  it('shows nothing of what was given (MOD-11)', () => {
    const fault = catchFault({ serverInfo, publicUrl: 'user:hunter2@desk' });
    expect(fault.message).not.toContain('hunter2');
  });
});
