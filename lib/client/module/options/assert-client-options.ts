import { asserting } from '../../../core/checks/asserting.js';
import {
  assertMembers,
  fail,
  flag,
  list,
  members,
  milliseconds,
  millisecondsOrNone,
  object,
  oneOf,
  oneOrSeveral,
  positive,
  required,
  string,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { isScope } from '../../../core/oauth/scope.js';
import { isHostName } from '../../../core/oauth/secure-url.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { TELEMETRY_CHECKS } from '../../../core/telemetry/telemetry-checks.js';
import { McpClientConfigurationError } from '../errors.js';
import type { McpClientOptions, McpClientRegistration } from './mcp-client-options.interface.js';

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
 * Checks that the value is a list whose members have different names.
 *
 * @throws {McpClientConfigurationError} that names the first member that is wrong
 */
export function assertNamed(given: unknown): asserts given is readonly { readonly name: string }[] {
  asserting(McpClientConfigurationError, () => checkNames(given));
}

/**
 * Checks the options of one client.
 *
 * @param parent what the members' names begin with, for example `clients[1]`
 * @throws {McpClientConfigurationError} that names the first member that is wrong
 */
export function assertClientOptions(parent: string, options: unknown): asserts options is McpClientOptions {
  asserting(McpClientConfigurationError, () => checkClient(parent, options));
}

function checkNames(given: unknown): void {
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

function checkClient(parent: string, options: unknown): void {
  if (!isObject(options)) fail(parent, 'must be an object with "url" or "command"');
  const { url, command } = options;
  if (url !== undefined && command !== undefined) {
    fail(`${parent}.command`, 'cannot stand beside "url": a server is reached in one of the two ways');
  }
  if (url === undefined && command === undefined) {
    // Most probably one of them is misspelt, and the member that is there is the better hint.
    assertMembers(parent, options, { ...SHARED, ...HTTP, ...STDIO });
    fail(`${parent}.url`, 'is required: write for example "https://desk.example.com/mcp", or give "command"');
  }
  assertMembers(parent, options, { ...SHARED, ...(command === undefined ? HTTP : STDIO) });
}

/** `fetch` takes no URL that has a user or a password. */
const serverUrl: Check = (member, value) => {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/.test(value)) {
    fail(member, 'must be a URL such as "https://desk.example.com/mcp"');
  }
  const { username, password } = new URL(value);
  if (username !== '' || password !== '') fail(member, 'must have no user and no password: use "headers"');
};

const textMembers: Check = (member, value) => {
  object(member, value);
  for (const [name, one] of Object.entries(value as object)) string(`${member}.${name}`, one);
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

const pinned = members({ pin: required(text, '"2026-07-28"') });

const negotiation: Check = (member, value) => {
  if (value === 'auto' || value === 'legacy') return;
  if (!isObject(value)) fail(member, 'must be "auto", "legacy" or { pin: "2026-07-28" }');
  pinned(member, value);
};

const SHARED: Checks = {
  capabilities: object,
  clientInfo: members({ name: required(text, '"desk"'), version: required(text, '"1.0.0"') }),
  negotiation,
  timeoutMs: milliseconds,
  limitWaitMs: millisecondsOrNone,
  maximumResponseBytes: positive,
  connectOnStart: flag,
  reconnect: unlessFalse({
    initialDelayMs: milliseconds,
    maximumDelayMs: milliseconds,
    maximumAttempts: positive,
    waitMs: milliseconds,
  }),
  tasks: unlessFalse({ maximumMs: milliseconds }),
  telemetry: members(TELEMETRY_CHECKS),
};

const host: Check = (member, value) => {
  if (!isHostName(value)) fail(member, 'must be a host such as "desk", without scheme, port and path');
};

const scope: Check = (member, value) => {
  if (typeof value !== 'string' || !isScope(value)) fail(member, 'must be one scope, without spaces');
};

const HTTP: Checks = {
  url: serverUrl,
  insecureHosts: list(host),
  auth: tokenSource,
  headers: textMembers,
  fetch: sender,
  exchange: members({ audience: oneOrSeveral(text), resource: oneOrSeveral(text), scopes: list(scope) }),
  callers: members({ maximum: positive, idleTimeoutMs: milliseconds }),
};

const STDIO: Checks = {
  command: text,
  args: list(string),
  env: textMembers,
  cwd: text,
  stderr: oneOf('inherit', 'ignore'),
};

function unlessFalse(checks: Checks): Check {
  return (member, value) => {
    if (value !== false) assertMembers(member, value, checks);
  };
}
