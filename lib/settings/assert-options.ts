import { McpConfigurationError } from './mcp-configuration.error.js';
import type { McpOptions } from './mcp-options.interface.js';

/** Says whether a value is right for the option of a name; throws where it is not. */
type Check = (option: string, value: unknown) => void;

/** The checks of options that must be given. */
const REQUIRED = new WeakSet<Check>();

/**
 * Checks options as they come from the application.
 *
 * @throws {McpConfigurationError} that names the first option that is wrong
 */
export function assertOptions(options: unknown): asserts options is McpOptions {
  checkMembers('', options, OPTIONS);
  const { secret, sessions } = options as McpOptions;
  if (sessions?.adopt === true && secret === undefined) {
    fail('secret', 'is required with "sessions.adopt": without it each process signs with its own');
  }
}

const text: Check = (option, value) => {
  if (typeof value !== 'string' || value === '') fail(option, 'must be a non-empty string');
};

/** A signature is as strong as its secret. */
const SHORTEST_SECRET = 32;

const longText: Check = (option, value) => {
  if (typeof value === 'string' && value.length >= SHORTEST_SECRET) return;
  fail(option, `must be a string of at least ${SHORTEST_SECRET} characters, or an array of them`);
};

const flag: Check = (option, value) => {
  if (typeof value !== 'boolean') fail(option, 'must be true or false');
};

const positive: Check = (option, value) => {
  if (!Number.isSafeInteger(value) || Number(value) <= 0) {
    fail(option, 'must be a whole number greater than 0');
  }
};

/** Timers of Node take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const milliseconds: Check = (option, value) => {
  positive(option, value);
  if (Number(value) > LONGEST_TIMER_MS) fail(option, `must be at most ${LONGEST_TIMER_MS}`);
};

const notNegative: Check = (option, value) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    fail(option, 'must be a whole number, 0 or greater');
  }
};

/** Leaves out what the adapters' routers give a meaning of their own. */
const path: Check = (option, value) => {
  const isPath = typeof value === 'string' && /^(?:\/[A-Za-z0-9._~$&',;=@-]+)+$/.test(value);
  if (!isPath) fail(option, 'must be a path such as "/mcp", without a trailing slash');
};

const httpUrl: Check = (option, value) => {
  if (typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value)) return;
  fail(option, 'must be a URL such as "https://desk.example.com/mcp"');
};

const origin: Check = (option, value) => {
  if (value === '*') return;
  if (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value) return;
  fail(option, 'must be an origin such as "https://app.example.com", or "*"');
};

const hostName: Check = (option, value) => {
  const isHost = typeof value === 'string' && /^(?:\[[0-9a-fA-F:.]+\]|[^/\s:]+)(?::\d+)?$/.test(value);
  if (!isHost) fail(option, 'must be a host name such as "desk.example.com"');
};

const scope: Check = (option, value) => {
  if (value !== 'public' && value !== 'private') fail(option, 'must be "public" or "private"');
};

const theme: Check = (option, value) => {
  if (value !== 'light' && value !== 'dark') fail(option, 'must be "light" or "dark"');
};

const CACHE_HINT = members({ ttlMs: required(notNegative), scope: required(scope) });

const OPTIONS: Readonly<Record<string, Check>> = {
  serverInfo: required(
    members({
      name: required(text),
      version: required(text),
      title: text,
      description: text,
      websiteUrl: httpUrl,
      icons: list((option, value) => checkMembers(option, value, ICON)),
    }),
  ),
  instructions: text,
  mcpPath: path,
  useGlobalPrefix: flag,
  globalEnhancers: flag,
  exposeErrors: flag,
  capabilities: members({
    tools: flag,
    prompts: flag,
    resources: flag,
    completions: flag,
    logging: flag,
  }),
  pageSize: positive,
  cache: members({
    discover: CACHE_HINT,
    tools: CACHE_HINT,
    prompts: CACHE_HINT,
    resources: CACHE_HINT,
    resourceTemplates: CACHE_HINT,
    resourceContents: CACHE_HINT,
  }),
  callTimeoutMs: milliseconds,
  secret: (option, value) => {
    if (Array.isArray(value)) list(longText)(option, value);
    else longText(option, value);
  },
  reverseCalls: members({ timeoutMs: milliseconds, stateLifetimeMs: positive }),
  sessions: members({
    idleTimeoutMs: milliseconds,
    maximumSessions: positive,
    maximumSessionsPerIdentity: positive,
    lifetimeMs: positive,
    adopt: flag,
    maximumSubscriptions: positive,
    eventLogSize: notNegative,
    eventLogCharacters: notNegative,
  }),
  streams: members({
    keepAliveMs: milliseconds,
    maximumQueuedBytes: positive,
    retryMs: milliseconds,
    maximumAgeMs: notNegative,
    maximumListeners: positive,
  }),
  limits: members({
    bodyBytes: positive,
    batchSize: positive,
    requestsInFlight: positive,
    resourceBytes: positive,
    contentTypes: list(text),
  }),
  publicUrl: httpUrl,
  allowedOrigins: list(origin),
  allowedHosts: list(hostName),
  cors: (option, value) => {
    if (typeof value !== 'boolean') checkMembers(option, value, CORS);
  },
};

const ICON: Readonly<Record<string, Check>> = {
  src: required(text),
  mimeType: text,
  sizes: list(text),
  theme,
};

const CORS: Readonly<Record<string, Check>> = {
  origins: required(list(origin)),
  maxAgeSeconds: notNegative,
};

function fail(option: string, expected: string): never {
  throw new McpConfigurationError(option, expected);
}

/** Marks the check of an option that must be given. */
function required(check: Check): Check {
  const checked: Check = (option, value) => {
    if (value === undefined) fail(option, 'is required');
    check(option, value);
  };
  REQUIRED.add(checked);
  return checked;
}

function members(checks: Readonly<Record<string, Check>>): Check {
  return (option, value) => checkMembers(option, value, checks);
}

function list(check: Check): Check {
  return (option, value) => {
    if (!Array.isArray(value)) fail(option, 'must be an array');
    value.forEach((member, index) => check(`${option}[${index}]`, member));
  };
}

function checkMembers(parent: string, value: unknown, checks: Readonly<Record<string, Check>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(parent === '' ? 'options' : parent, 'must be an object');
  }
  const given = value as Readonly<Record<string, unknown>>;
  const qualify = (name: string): string => (parent === '' ? name : `${parent}.${name}`);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(checks, name)) continue;
    fail(qualify(name), `is not known: use one of ${Object.keys(checks).join(', ')}`);
  }
  for (const [name, check] of Object.entries(checks)) {
    if (given[name] !== undefined || REQUIRED.has(check)) check(qualify(name), given[name]);
  }
}
