import { asserting } from '../../../core/checks/asserting.js';
import {
  assertMembers,
  callable,
  day,
  either,
  fail,
  flag,
  hostName,
  httpUrl,
  list,
  mediaType,
  members,
  milliseconds,
  millisecondsOrNone,
  notNegative,
  oneOf,
  origin,
  path,
  positive,
  required,
  secrets,
  several,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { HOSTS } from '../../../core/protocol/hosts/host-rules.js';
import { TELEMETRY_CHECKS } from '../../../core/telemetry/telemetry-checks.js';
import { buildStateSettings } from '../build-state-settings.js';
import type { ExplorerOptions } from '../explorer-options.interface.js';
import { McpConfigurationError } from '../mcp-configuration.error.js';
import type { McpOptions } from '../mcp-options.interface.js';
import { DEFAULT_PATHS } from '../server-settings.js';
import type { StateOptions } from '../state-options.interface.js';
import { assertAppsOptions } from './app-checks.js';
import {
  assertAuthOptions,
  assertNotOwnMetadata,
  assertResourceCovers,
  assertResourceNamed,
} from './assert-auth-options.js';
import { MODULE_SETTINGS_CHECKS } from './assert-module-settings.js';
import { assertServerCardOptions } from './assert-server-card-options.js';
import { assertSkillsOptions } from './assert-skills-options.js';
import { assertTasksOptions } from './assert-tasks-options.js';
import { assertToolSearchOptions } from './assert-tool-search-options.js';
import { assertTargetNamed } from './dpop-checks.js';
import { globalEnhancers } from './global-enhancers-checks.js';
import { guard } from './guard-check.js';
import { icons } from './icon-checks.js';
import { resultBytes } from './result-bytes.js';
import { SERVER_OPTION_ALIASES } from './server-option-aliases.js';

const MEMBERS = members({
  ttlMs: positive,
  valueBytes: positive,
  maximumBytes: positive,
  maximumHandles: positive,
  maximumAnonymousHandles: positive,
});

/** Checks the bounds of what handlers keep for callers. */
const assertStateOptions: Check = (option, value) => {
  MEMBERS(option, value);
  const { valueBytes, maximumBytes } = buildStateSettings(value as StateOptions);
  if (valueBytes > maximumBytes) {
    fail(`${option}.maximumBytes`, `must be at least "valueBytes", which is ${valueBytes}`);
  }
};

const EXPLORER: Checks = {
  guard: guard('must be a class with a method "canActivate"'),
  loginRelay: flag,
};

/** Checks the option of the page at the endpoint: in production somebody has to say who is shown it. */
const assertExplorerOptions: Check = (option, value) => {
  if (typeof value !== 'boolean') assertMembers(option, value, EXPLORER);
  if (value === false || process.env['NODE_ENV'] !== 'production') return;
  if (typeof value === 'object' && (value as ExplorerOptions).guard !== undefined) return;
  fail(`${option}.guard`, 'is required where NODE_ENV is "production": give a guard, or leave the page out');
};

const WEBHOOKS = members({
  allowPrivateAddresses: flag,
  allowHttp: flag,
  certificateAuthorities: list(text),
  timeoutMs: milliseconds,
  attempts: positive,
  backoffMs: milliseconds,
  maximumBackoffMs: milliseconds,
  suspendAfter: positive,
  maximumQueued: positive,
  maximumQueuedBytes: positive,
  maximumQueuedBytesPerOwner: positive,
  maximumBodyBytes: positive,
  maximumAnswerBytes: positive,
  maximumRequests: positive,
  maximumRequestsPerOwner: positive,
  maximumRequestsPerReceiver: positive,
  maximumSubscriptions: positive,
  ttlMs: milliseconds,
  minimumTtlMs: milliseconds,
  maximumTtlMs: milliseconds,
  secretOverlapMs: notNegative,
  closeTimeoutMs: milliseconds,
  isTrusted: callable,
  confirmationsPerMinute: positive,
  resolveHost: callable,
});

/** Checks the option `events`. */
const assertEventsOptions: Check = either(
  'boolean',
  flag,
  members({
    logSize: positive,
    logCharacters: positive,
    payloadCharacters: positive,
    pollSize: positive,
    pollIntervalMs: milliseconds,
    heartbeatMs: milliseconds,
    unreadTimeoutMs: milliseconds,
    maximumStreams: positive,
    maximumStreamsPerIdentity: positive,
    webhooks: either('boolean', flag, WEBHOOKS),
    maximumWebhooksPerIdentity: positive,
  }),
);

/**
 * Checks options as they come from the application.
 *
 * @throws {McpConfigurationError} that names the first option that is wrong
 */
export function assertOptions(options: unknown): asserts options is McpOptions {
  asserting(McpConfigurationError, () => checkOptions(options));
}

function checkOptions(options: unknown): void {
  if (options === undefined || options === null) fail('options', `must be an object such as ${SMALLEST}`);
  for (const name of Object.keys(MODULE_SETTINGS_CHECKS)) {
    if (Object.hasOwn(options, name)) {
      fail(
        name,
        'must stand beside the factory, not in its result: it is needed before the factory is called',
      );
    }
  }
  assertMembers('', options, OPTIONS, SERVER_OPTION_ALIASES);
  assertCombination(options as McpOptions);
}

const SMALLEST = '{ serverInfo: { name: "desk", version: "1.0.0" } }';

const visibility: Check = (option, value) => {
  const holder: unknown = typeof value === 'function' ? value.prototype : value;
  const method: unknown = typeof holder === 'object' && holder !== null && Reflect.get(holder, 'isVisible');
  if (typeof method !== 'function') fail(option, 'must be a class or an object with a method "isVisible"');
};

const clusterOption: Check = (option, value) => {
  const join: unknown = typeof value === 'object' && value !== null && Reflect.get(value, 'join');
  if (typeof join !== 'function') {
    fail(option, 'must be what "redisCluster()" of "nestjs-mcp/redis" gives, or an engine of your own');
  }
};

const redactor: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function that gives what to show instead');
};

const CACHE_HINT = members({
  ttlMs: required(notNegative, '60000'),
  scope: required(oneOf('public', 'private'), '"private"'),
});

const OPTIONS: Checks = {
  serverInfo: required(
    members({
      name: required(text, '"desk"'),
      version: required(text, '"1.0.0"'),
      title: text,
      description: text,
      websiteUrl: httpUrl,
      icons,
    }),
    '{ name: "desk", version: "1.0.0" }',
  ),
  instructions: text,
  mcpPath: path,
  useGlobalPrefix: flag,
  globalEnhancers,
  exposeErrors: flag,
  stateless: flag,
  sse: either('boolean', flag, members({ path })),
  capabilities: members({
    tools: flag,
    prompts: flag,
    resources: flag,
    completions: flag,
    logging: flag,
  }),
  catalogue: members({
    flattenUnions: flag,
    hostWarnings: either('boolean', flag, list(oneOf(...HOSTS))),
    visibility,
    search: assertToolSearchOptions,
  }),
  arguments: members({ repair: flag }),
  pageSize: positive,
  cache: members({
    discover: CACHE_HINT,
    tools: CACHE_HINT,
    prompts: CACHE_HINT,
    resources: CACHE_HINT,
    resourceTemplates: CACHE_HINT,
    resourceContents: CACHE_HINT,
    skills: CACHE_HINT,
  }),
  callTimeoutMs: milliseconds,
  secret: secrets,
  acceptFormerFormatUntil: day,
  cluster: clusterOption,
  reverseCalls: members({ timeoutMs: milliseconds, stateLifetimeMs: positive }),
  sessions: members({
    idleTimeoutMs: milliseconds,
    maximumSessions: positive,
    unusedTimeoutMs: milliseconds,
    maximumSessionsPerIdentity: positive,
    maximumAnonymousSessions: positive,
    maximumSessionsPerAddress: positive,
    lifetimeMs: positive,
    adopt: flag,
    maximumSubscriptions: positive,
    maximumSubscriptionCharacters: positive,
    eventLogSize: notNegative,
    eventLogCharacters: notNegative,
  }),
  streams: members({
    beginAfterMs: millisecondsOrNone,
    keepAliveMs: milliseconds,
    maximumQueuedBytes: positive,
    retryMs: milliseconds,
    maximumAgeMs: millisecondsOrNone,
    maximumListeners: positive,
    maximumListenersPerIdentity: positive,
  }),
  shutdown: members({ drainMs: millisecondsOrNone, graceMs: millisecondsOrNone }),
  limits: members({
    bodyBytes: positive,
    bodyValues: positive,
    bodyDepth: positive,
    transferTimeoutMs: milliseconds,
    batchSize: positive,
    requestsInFlight: positive,
    resourceBytes: positive,
    resultBytes,
    contentTypes: several(mediaType),
  }),
  memory: members({
    maximumBytes: positive,
    maximumBytesPerIdentity: positive,
    maximumBytesOfStrangers: positive,
    maximumBytesPerAddress: positive,
  }),
  state: assertStateOptions,
  throttle: either(
    'boolean',
    flag,
    members({ methods: list(text), whenUnavailable: oneOf('admit', 'refuse') }),
  ),
  publicUrl: httpUrl,
  allowedOrigins: list(origin),
  allowedHosts: list(hostName),
  cors: (option, value) => {
    if (typeof value !== 'boolean') assertMembers(option, value, CORS);
  },
  auth: (option, value) => {
    if (value !== false) assertAuthOptions(option, value);
  },
  apps: assertAppsOptions,
  events: assertEventsOptions,
  skills: assertSkillsOptions,
  tasks: assertTasksOptions,
  serverCard: assertServerCardOptions,
  explorer: assertExplorerOptions,
  telemetry: members(TELEMETRY_CHECKS),
  audit: members({
    mode: oneOf('optional', 'required'),
    redact: redactor,
    timeoutMs: milliseconds,
    maximumPending: positive,
    maximumPendingBytes: positive,
  }),
};

const CORS: Checks = {
  origins: required(list(origin), '["https://app.example.com"]'),
  maxAgeSeconds: notNegative,
};

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

/** Checks combinations of options, after each option alone was checked. */
function assertCombination(options: McpOptions): void {
  const { secret, sessions, auth, publicUrl } = options;
  if (sessions?.adopt === true && secret === undefined) {
    fail('secret', 'is required with "sessions.adopt": without it each process signs with its own');
  }
  assertCluster(options);
  assertStateless(options);
  assertPathOfSse(options);
  assertResourceNamed(auth || undefined, publicUrl);
  assertResourceCovers(auth || undefined, publicUrl);
  assertNotOwnMetadata(auth || undefined, publicUrl);
  assertTargetNamed(auth || undefined, publicUrl);
}

function assertCluster({ cluster, secret, sessions, tasks }: McpOptions): void {
  if (cluster === undefined) return;
  if (secret === undefined) {
    fail('secret', 'is required with "cluster": give every process the same, of at least 32 characters');
  }
  if (sessions?.adopt === false) {
    fail('sessions.adopt', 'cannot be off with "cluster": any process takes up the sessions of the others');
  }
  const hasStore = typeof tasks === 'object' ? tasks.store !== undefined : tasks !== true;
  if (!hasStore && cluster.createTaskStore === undefined) {
    fail('tasks.store', 'is required with this "cluster", which keeps no tasks: all processes must share it');
  }
}

function assertStateless({ stateless, sessions, sse }: McpOptions): void {
  if (stateless !== true) return;
  if (sessions?.adopt === true) {
    fail('sessions.adopt', 'has nothing to take over with "stateless": remove one of the two');
  }
  if (sse !== undefined && sse !== false) {
    fail('sse', 'keeps a session for each stream, and "stateless" has none: remove one of the two');
  }
}

function assertPathOfSse({ mcpPath = DEFAULT_PATHS.mcp, sse }: McpOptions): void {
  if (sse === undefined || sse === false) return;
  const { path: own = DEFAULT_PATHS.sse } = sse === true ? {} : sse;
  // Routers may take upper and lower case for the same.
  if (own.toLowerCase() !== mcpPath.toLowerCase()) return;
  fail('sse.path', `must be another path than "mcpPath", such as "${mcpPath}/sse"`);
}
