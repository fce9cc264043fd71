import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { buildServerSettings } from '../../../../lib/server/settings/server-settings.js';

const serverInfo = { name: 'desk', version: '1.0.0' };
const NOT_CACHEABLE = { ttlMs: 0, scope: 'private' };

const QUARTER = Math.floor(getHeapStatistics().heap_size_limit / 4);

const DEFAULTS = {
  serverInfo,
  mcpPath: '/mcp',
  useGlobalPrefix: false,
  globalEnhancers: { guards: false, interceptors: false, pipes: false, filters: false },
  serverCard: { catalog: true },
  explorer: { loginRelay: true },
  exposeErrors: false,
  capabilities: { logging: true },
  stateless: false,
  arguments: { repair: false },
  pageSize: 1000,
  cache: {
    discover: NOT_CACHEABLE,
    tools: NOT_CACHEABLE,
    prompts: NOT_CACHEABLE,
    resources: NOT_CACHEABLE,
    resourceTemplates: NOT_CACHEABLE,
    resourceContents: NOT_CACHEABLE,
    skills: NOT_CACHEABLE,
  },
  catalog: { flattenUnions: true, hostWarnings: true },
  secrets: [],
  keyring: new Keyring([]),
  inputRequests: { timeoutMs: 300_000, stateLifetimeMs: 3_600_000 },
  sessions: {
    idleTimeoutMs: 1_800_000,
    unusedTimeoutMs: 15_000,
    maxSessions: 10_000,
    maxSessionsPerCaller: 1000,
    maxAnonymousSessions: 10_000,
    maxSessionsPerAddress: 1000,
    lifetimeMs: 86_400_000,
    recover: false,
    maxSubscriptions: 1000,
    maxSubscriptionCharacters: 262_144,
    eventLogSize: 256,
    eventLogCharacters: 1_048_576,
  },
  streams: {
    beginAfterMs: 1000,
    keepAliveMs: 15_000,
    maxQueuedBytes: 1_048_576,
    retryMs: 1000,
    maxAgeMs: 0,
    maxListeners: 10_000,
    maxListenersPerCaller: 1000,
  },
  shutdown: { drainMs: 0, graceMs: 0 },
  limits: {
    bodyBytes: 4_194_304,
    bodyValues: 25_000,
    bodyDepth: 512,
    transferTimeoutMs: 60_000,
    batchSize: 100,
    requestsInFlight: 256,
    resourceBytes: 16_777_216,
    resultBytes: Infinity,
    contentTypes: ['application/json'],
  },
  state: {
    ttlMs: 3_600_000,
    valueBytes: 16_384,
    maxBytes: 65_536,
    maxHandles: 100,
    maxAnonymousHandles: 10_000,
  },
  memory: {
    maxBytes: QUARTER,
    maxAnonymousBytes: QUARTER,
    maxBytesPerCaller: Math.floor(QUARTER / 4),
    maxBytesPerAddress: Math.floor(QUARTER / 10),
  },
  allowedOrigins: [],
  isMeantOpen: false,
  apps: { directory: process.cwd(), watch: false, showToAll: false },
  audit: {
    mode: 'optional',
    timeoutMs: 5000,
    maxPending: 10_000,
    maxPendingBytes: 33_554_432,
  },
};

/** Options of an application that reads its environment: what is not set is there, but undefined. */
const UNSET = {
  serverInfo,
  instructions: undefined,
  mcpPath: undefined,
  capabilities: { tools: undefined, logging: undefined },
  stateless: undefined,
  sse: undefined,
  pageSize: undefined,
  cache: { tools: undefined, resourceContents: undefined },
  callTimeoutMs: undefined,
  sessions: {
    idleTimeoutMs: undefined,
    maxSessions: undefined,
    maxSubscriptions: undefined,
    eventLogSize: undefined,
    eventLogCharacters: undefined,
  },
  streams: { keepAliveMs: undefined, maxQueuedBytes: undefined, maxListeners: undefined },
  memory: { maxBytes: undefined },
  limits: { bodyBytes: undefined, batchSize: undefined, contentTypes: undefined },
  publicUrl: undefined,
  allowedOrigins: undefined,
  allowedHosts: undefined,
  cors: undefined,
};

describe('buildServerSettings', () => {
  it('gives the documented defaults (MOD-11)', () => {
    expect(buildServerSettings({ serverInfo })).toEqual(DEFAULTS);
  });

  it('takes what is undefined for what is not given (MOD-11)', () => {
    const settings = buildServerSettings(UNSET as unknown as McpOptions);
    expect(settings).toStrictEqual(DEFAULTS);
  });

  it('gives strangers half of the memory where others bring tokens (FAIR-03)', () => {
    const auth = { bearer: 'a-token-0123456789abcdef' };
    const { memory } = buildServerSettings({ serverInfo, auth, memory: { maxBytes: 4000 } });
    expect(memory).toEqual({
      maxBytes: 4000,
      maxAnonymousBytes: 2000,
      maxBytesPerCaller: 1000,
      maxBytesPerAddress: 1000,
    });
  });

  it('gives strangers at one address a tenth of theirs, and enough for the longest body (FAIR-02) (FAIR-03)', () => {
    const shareOf = (maxBytes: number, bodyBytes: number): number =>
      buildServerSettings({ serverInfo, memory: { maxBytes }, limits: { bodyBytes } }).memory
        .maxBytesPerAddress;
    expect(shareOf(100_000_000, 4_000_000)).toBe(10_000_000);
    expect(shareOf(64_000_000, 4_000_000)).toBe(8_065_536);
    expect(shareOf(10_000_000, 4_000_000)).toBe(5_000_000);
  });

  it('keeps what is given and fills the rest of each group in (MOD-11)', () => {
    const settings = buildServerSettings({
      serverInfo,
      instructions: 'Search first.',
      mcpPath: '/desk',
      capabilities: { tools: true, logging: false },
      stateless: true,
      callTimeoutMs: 5000,
      cache: { tools: { ttlMs: 60_000, scope: 'public' } },
      sessions: { maxSessions: 5 },
      streams: { keepAliveMs: 100 },
      limits: { batchSize: 2 },
    });
    expect(settings).toStrictEqual({
      ...DEFAULTS,
      instructions: 'Search first.',
      mcpPath: '/desk',
      capabilities: { tools: true, logging: false },
      stateless: true,
      callTimeoutMs: 5000,
      cache: { ...DEFAULTS.cache, tools: { ttlMs: 60_000, scope: 'public' } },
      sessions: { ...DEFAULTS.sessions, maxSessions: 5, maxAnonymousSessions: 5 },
      streams: { ...DEFAULTS.streams, keepAliveMs: 100 },
      limits: { ...DEFAULTS.limits, batchSize: 2 },
    });
  });

  it('parses the public URL (HTTP-06)', () => {
    const { publicUrl } = buildServerSettings({ serverInfo, publicUrl: 'https://Desk.example.com/mcp' });
    expect([publicUrl?.origin, publicUrl?.hostname]).toEqual([
      'https://desk.example.com',
      'desk.example.com',
    ]);
  });

  it('keeps an empty list of hosts apart from none (HTTP-06)', () => {
    expect(buildServerSettings({ serverInfo, allowedHosts: [] }).allowedHosts).toEqual([]);
  });

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, { path: '/sse' }],
    [{}, { path: '/sse' }],
    [{ path: undefined }, { path: '/sse' }],
    [{ path: '/mcp/sse' }, { path: '/mcp/sse' }],
  ])('makes of sse: %j %j (SSE-01)', (sse, expected) => {
    const { sse: built } = buildServerSettings({
      serverInfo,
      ...(sse !== undefined && { sse }),
    } as McpOptions);
    expect(built).toEqual(expected);
  });

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, { origins: ['*'], maxAgeSeconds: 600 }],
    [{ origins: ['https://a.example'] }, { origins: ['https://a.example'], maxAgeSeconds: 600 }],
    [
      { origins: ['https://a.example'], maxAgeSeconds: 0 },
      { origins: ['https://a.example'], maxAgeSeconds: 0 },
    ],
  ])('makes of cors: %j %j (HTTP-11)', (cors, expected) => {
    const { cors: built } = buildServerSettings({ serverInfo, ...(cors !== undefined && { cors }) });
    expect(built).toEqual(expected);
  });
});
