import {
  assertProperties,
  callable,
  type Check,
  type Checks,
  flag,
  list,
  nonEmptyString,
  object,
  oneOf,
  OptionError,
  required,
} from '../../core/checks/option-checks.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { ExtensionDeclaration } from '../settings/extensions/extension.interface.js';

/** Thrown if an extension cannot be registered. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';

  constructor(
    readonly extension: string,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(`The extension "${extension}" ${explanation}`, options);
  }

  static reserved(extension: string): ExtensionError {
    return new ExtensionError(
      extension,
      'has a prefix that is reserved for the protocol: use a domain that you own, or set "published" to its settings if it is a published extension',
    );
  }

  static taken(extension: string, kind: string, name: string): ExtensionError {
    return new ExtensionError(extension, `cannot add the ${kind} "${name}": this name is already in use`);
  }

  static namedTwice(extension: string, kind: string, name: string): ExtensionError {
    return new ExtensionError(extension, `declares the ${kind} "${name}" twice: give each one a unique name`);
  }
}

const checkedLater: Check = () => undefined;

const flagOrFunction: Check = (option, value) => {
  if (typeof value !== 'function') flag(option, value);
};

const handler = required(callable, '"handle: (context) => ({})"');

const METHOD: Checks = {
  method: required(nonEmptyString, '"reports/list"'),
  revisions: list(oneOf('handshake', 'perRequest')),
  requiresDeclaration: flagOrFunction,
  longRunning: flag,
  mcpNameParam: nonEmptyString,
  handle: handler,
};

const NOTIFICATION: Checks = {
  method: required(nonEmptyString, '"notifications/reports/read"'),
  everywhere: flag,
  handle: handler,
};

const SUBSCRIPTION: Checks = {
  filter: required(nonEmptyString, '"reports"'),
  grant: required(callable, '"grant: (asked) => asked"'),
  matches: callable,
  open: callable,
};

const stability = oneOf('experimental', 'stable', 'deprecated');

/** A published extension's properties. `published` is checked with the id. */
const PUBLISHED: Checks = {
  id: checkedLater,
  specVersion: nonEmptyString,
  stability,
  config: object,
  published: checkedLater,
  capabilities: known({ experimental: object, resources: flag, tasks: object, events: object }),
  scopes: list(nonEmptyString),
  methods: list(known(METHOD)),
  notifications: list(known(NOTIFICATION)),
  subscriptions: list(known(SUBSCRIPTION)),
  interceptToolCall: callable,
};

const OWN: Checks = {
  ...PUBLISHED,
  specVersion: required(nonEmptyString, '"2026-07-28"'),
  stability: required(stability, '"experimental"'),
};

/**
 * Checks an extension's properties. An unknown property would have no effect, and one with the wrong type would fail
 * only when used.
 *
 * @throws {ExtensionError} that names the first invalid property
 */
export function assertExtension(extension: unknown): void {
  const { id, published } = isObject(extension) ? extension : {};
  try {
    known(published === undefined ? OWN : PUBLISHED)('', extension);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new ExtensionError(String(id), `cannot be registered: ${error.message}`, { cause: error });
  }
}

/** Further properties of a class instance are not checked. */
function known(checks: Checks): Check {
  return (option, value) => {
    const isOfClass = isObject(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value));
    assertProperties(option, isOfClass ? selectMembers(value, Object.keys(checks)) : value, checks);
  };
}

function selectMembers(value: { readonly [name: string]: unknown }, names: readonly string[]): object {
  const found = names.map((name) => [name, value[name]] as const);
  return Object.fromEntries(found.filter(([, member]) => member !== undefined));
}

/** A reverse-DNS prefix and a name (MCP basic, "_meta"). */
const EXTENSION_ID =
  /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)+\/[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/i;

/** Prefixes reserved for the protocol, identified by their second label (MCP basic, "_meta"). */
const PROTOCOL_PREFIX = /^[^./]+\.(?:modelcontextprotocol|mcp)[./]/i;

/**
 * Checks an extension id, and whether a protocol prefix is used intentionally.
 *
 * @throws {ExtensionError} if the id is invalid, or uses a protocol prefix without being a published extension
 */
export function assertExtensionId({ id, published }: ExtensionDeclaration): void {
  if (!EXTENSION_ID.test(id)) throw new ExtensionError(id, 'must have an id such as "com.example/reports"');
  if (published !== undefined && !isObject(published)) {
    throw new ExtensionError(
      id,
      'must have a "published" object: the settings that its specification defines',
    );
  }
  if (published === undefined && PROTOCOL_PREFIX.test(id)) throw ExtensionError.reserved(id);
}
