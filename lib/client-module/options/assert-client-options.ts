import { isObject } from '../../protocol/json-rpc.js';
import { McpClientConfigurationError } from '../errors/client-configuration.error.js';
import type { McpClientOptions, McpClientRegistration } from './mcp-client-options.interface.js';

/** Says whether a value is right for a member; throws where it is not. */
type Check = (member: string, value: unknown) => void;
type Checks = { readonly [name: string]: Check };

/** Timers of Node take no more milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks what `McpClientModule.forRoot` is given.
 *
 * @throws {McpClientConfigurationError} that names the first member that is wrong
 */
export function assertRegistrations(given: unknown): asserts given is readonly McpClientRegistration[] {
  assertNamed(given);
  for (const [index, { name: _name, ...options }] of given.entries()) {
    assertClientOptions(`clients[${index}]`, options);
  }
}

/**
 * Checks that what is given is a list, each member of which has a name of its own.
 *
 * @throws {McpClientConfigurationError} that names the first member that is wrong
 */
export function assertNamed(given: unknown): asserts given is readonly { readonly name: string }[] {
  if (!Array.isArray(given)) {
    fail('clients', 'must be an array such as [{ name: "desk", url: "https://desk.example.com/mcp" }]');
  }
  const names = new Set<unknown>();
  for (const [index, client] of (given as readonly unknown[]).entries()) {
    const member = `clients[${index}]`;
    if (!isObject(client)) fail(member, 'must be an object with "name" and "url" or "command"');
    const name = client['name'];
    text(`${member}.name`, name);
    if (names.has(name)) fail(`${member}.name`, `is taken already: give each client a name of its own`);
    names.add(name);
  }
}

/**
 * Checks the options of one client.
 *
 * @param parent what the members' names begin with, for example `clients[1]`
 * @throws {McpClientConfigurationError} that names the first member that is wrong
 */
export function assertClientOptions(parent: string, options: unknown): asserts options is McpClientOptions {
  if (!isObject(options)) fail(parent, 'must be an object with "url" or "command"');
  const { url, command } = options;
  if (url !== undefined && command !== undefined) {
    fail(`${parent}.command`, 'cannot stand beside "url": a server is reached in one of the two ways');
  }
  if (url === undefined && command === undefined) {
    // Most probably one of them is misspelt, and the member that is there is the better hint.
    assertKnown(parent, options, { ...SHARED, ...HTTP, ...STDIO });
    fail(`${parent}.url`, 'is required: write for example "https://desk.example.com/mcp", or give "command"');
  }
  checkMembers(parent, options, { ...SHARED, ...(command === undefined ? HTTP : STDIO) });
}

const text: Check = (member, value) => {
  if (typeof value !== 'string' || value === '') fail(member, 'must be a non-empty string');
};

const flag: Check = (member, value) => {
  if (typeof value !== 'boolean') fail(member, 'must be true or false');
};

const positive: Check = (member, value) => {
  if (!Number.isSafeInteger(value) || Number(value) <= 0) fail(member, 'must be a whole number above 0');
};

const milliseconds: Check = (member, value) => {
  positive(member, value);
  if (Number(value) > LONGEST_TIMER_MS) fail(member, `must be at most ${LONGEST_TIMER_MS}`);
};

const httpUrl: Check = (member, value) => {
  if (typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value)) return;
  fail(member, 'must be a URL such as "https://desk.example.com/mcp"');
};

const object: Check = (member, value) => {
  if (!isObject(value)) fail(member, 'must be an object');
};

const texts: Check = (member, value) => {
  if (!Array.isArray(value)) fail(member, 'must be an array of strings');
  value.forEach((one, index) => {
    if (typeof one !== 'string') fail(`${member}[${index}]`, 'must be a string');
  });
};

const textMembers: Check = (member, value) => {
  object(member, value);
  for (const [name, one] of Object.entries(value as object)) {
    if (typeof one !== 'string') fail(`${member}.${name}`, 'must be a string');
  }
};

const tokenSource: Check = (member, value) => {
  if (isObject(value) && typeof value['token'] === 'function') return;
  const fitting =
    typeof value === 'string' ? 'StaticTokenSource("…")' : 'ClientCredentialsTokenSource({ … })';
  fail(member, `must be a token source, for example new ${fitting}`);
};

const sender: Check = (member, value) => {
  if (typeof value !== 'function') fail(member, 'must be a function like the global "fetch"');
};

const stderr: Check = (member, value) => {
  if (value !== 'inherit' && value !== 'ignore') fail(member, 'must be "inherit" or "ignore"');
};

const negotiation: Check = (member, value) => {
  if (value === 'auto' || value === 'legacy') return;
  if (!isObject(value)) fail(member, 'must be "auto", "legacy" or { pin: "2026-07-28" }');
  checkMembers(member, value, { pin: text });
  text(`${member}.pin`, value['pin']);
};

const SHARED: Checks = {
  capabilities: object,
  clientInfo: (member, value) => {
    checkMembers(member, value, { name: text, version: text });
    for (const name of ['name', 'version'])
      text(`${member}.${name}`, (value as Record<string, unknown>)[name]);
  },
  negotiation,
  timeoutMs: milliseconds,
  connectOnStart: flag,
  reconnect: unlessFalse({
    initialDelayMs: milliseconds,
    maximumDelayMs: milliseconds,
    maximumAttempts: positive,
    waitMs: milliseconds,
  }),
  tasks: unlessFalse({ maximumMs: milliseconds }),
};

const HTTP: Checks = {
  url: httpUrl,
  auth: tokenSource,
  headers: textMembers,
  fetch: sender,
  exchange: (member, value) => checkMembers(member, value, { audience: text, resource: text, scopes: texts }),
  callers: (member, value) => checkMembers(member, value, { maximum: positive, idleTimeoutMs: milliseconds }),
};

const STDIO: Checks = { command: text, args: texts, env: textMembers, cwd: text, stderr };

function unlessFalse(checks: Checks): Check {
  return (member, value) => {
    if (value !== false) checkMembers(member, value, checks);
  };
}

function checkMembers(parent: string, value: unknown, checks: Checks): void {
  if (!isObject(value)) fail(parent, `must be an object with ${listNames(checks)}`);
  assertKnown(parent, value, checks);
  for (const [name, given] of Object.entries(value)) {
    if (given !== undefined) checks[name]?.(`${parent}.${name}`, given);
  }
}

function assertKnown(parent: string, value: object, checks: Checks): void {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) fail(`${parent}.${unknown}`, `is not known: use one of ${listNames(checks)}`);
}

function listNames(checks: Checks): string {
  return Object.keys(checks).join(', ');
}

function fail(member: string, expected: string): never {
  throw new McpClientConfigurationError(member, expected);
}
