import { asserting } from '../../../core/checks/asserting.js';
import {
  assertMembers,
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
import type { McpOptions } from '../mcp-options.interface.js';
import { resultBytes } from './result-bytes.js';
import { McpConfigurationError } from '../mcp-configuration.error.js';
import { assertAppsOptions } from './app-checks.js';
import { assertAuthOptions } from './assert-auth-options.js';
import { assertCombination } from './assert-combination.js';
import { assertEventsOptions } from './assert-events-options.js';
import { globalEnhancers } from './global-enhancers-checks.js';
import { assertExplorerOptions } from './assert-explorer-options.js';
import { assertStateOptions } from './assert-state-options.js';
import { icons } from './icon-checks.js';
import { assertServerCardOptions } from './assert-server-card-options.js';
import { SERVER_OPTION_ALIASES } from './server-option-aliases.js';
import { assertSkillsOptions } from './assert-skills-options.js';
import { assertTasksOptions } from './assert-tasks-options.js';
import { assertToolSearchOptions } from './assert-tool-search-options.js';
import { MODULE_SETTINGS_CHECKS } from './assert-module-settings.js';

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

const cluster: Check = (option, value) => {
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
  cluster,
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
