import {
  type Aliases,
  assertProperties,
  callable,
  type Check,
  type Checks,
  fail,
  flag,
  list,
  LONGEST_TIMER_MS,
  nonEmptyString,
  object,
  oneOf,
  properties,
  required,
  string,
} from '../../../core/checks/option-checks.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { HandlerKind } from '../../decorators/handler-metadata.js';
import { APP_PAGE_CHECKS, APP_POLICY_CHECKS, toolUiCheck } from '../../settings/extensions/app-options.js';
import { icons } from '../../settings/checks/icon-checks.js';
import type {
  AccessOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../../settings/handler-options.interface.js';
import type { CacheHint } from '../../../core/protocol/results.js';
import { CatalogError } from '../catalog.error.js';

const OF_TOOLS = [
  ['parameters', 'inputSchema'],
  ['paramsSchema', 'inputSchema'],
  ['params', 'inputSchema'],
  ['arguments', 'inputSchema'],
  ['args', 'inputSchema'],
  ['schema', 'inputSchema'],
  ['returns', 'outputSchema'],
  ['result', 'outputSchema'],
  ['app', 'ui'],
  ['meta', '_meta'],
] as const;

/** Option names from other libraries and the protocol. If you use one, the error suggests the right name. */
const OPTION_ALIASES: Readonly<Record<HandlerKind, Aliases>> = {
  tool: new Map(OF_TOOLS),
  resource: new Map([
    ['meta', '_meta'],
    ['uriTemplate', 'uri'],
    ['contentType', 'mimeType'],
  ]),
  resourceTemplate: new Map([
    ['meta', '_meta'],
    ['uri', 'uriTemplate'],
    ['contentType', 'mimeType'],
  ]),
  app: new Map([
    ['meta', '_meta'],
    ['path', 'file'],
    ['folder', 'directory'],
  ]),
  prompt: new Map([
    ['meta', '_meta'],
    ['parameters', 'arguments'],
    ['params', 'arguments'],
    ['args', 'arguments'],
    ['schema', 'arguments'],
    ['inputSchema', 'arguments'],
  ]),
  completion: new Map([
    ['uriTemplate', 'resourceTemplate'],
    ['template', 'resourceTemplate'],
    ['name', 'prompt'],
  ]),
};

/** One check per option; a missing check is a type error. */
type ChecksOf<Options> = Readonly<Record<keyof Options, Check>>;

/** Checked, with more context, in `assert-options.ts` and the schema compilers. */
const checkedLater: Check = () => undefined;

const priority: Check = (option, value) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return;
  fail(option, 'must be a number from 0 to 1');
};

const requirement: Check = (option, value) => {
  if (typeof value !== 'function') nonEmptyString(option, value);
};

const ACCESS: ChecksOf<AccessOptions> = {
  requiredScopes: list(requirement),
  isPublic: flag,
  concurrency: checkedLater,
};

const CACHE = properties({ ttlMs: checkedLater, scope: checkedLater });

/** Tags are sent to clients and indexed for tool search. */
const LONGEST_TAG = 100;

const tag: Check = (option, value) => {
  nonEmptyString(option, value);
  if (String(value).length > LONGEST_TAG) fail(option, `must have at most ${LONGEST_TAG} characters`);
};

const LISTED = {
  name: checkedLater,
  title: string,
  description: string,
  icons,
  tags: list(tag),
  _meta: object,
  visible: callable,
};

const ANNOTATIONS = properties({
  audience: list(oneOf('user', 'assistant')),
  priority,
  lastModified: string,
  experimental: flag,
});

const TOOL: ChecksOf<ToolOptions> = {
  ...LISTED,
  inputSchema: checkedLater,
  flattenUnions: flag,
  repairArguments: flag,
  outputSchema: checkedLater,
  annotations: properties({
    title: string,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
    experimental: flag,
  }),
  timeoutMs: checkedLater,
  resultBytes: checkedLater,
  task: checkedLater,
  ttlMs: checkedLater,
  pollIntervalMs: checkedLater,
  ui: toolUiCheck,
};

const RESOURCE: ChecksOf<ResourceOptions> = {
  ...LISTED,
  uri: checkedLater,
  mimeType: string,
  size: checkedLater,
  annotations: ANNOTATIONS,
  cache: CACHE,
  resultBytes: checkedLater,
  ui: properties(APP_PAGE_CHECKS),
};

const APP: Checks = {
  ...LISTED,
  ...APP_PAGE_CHECKS,
  uri: checkedLater,
  annotations: ANNOTATIONS,
  cache: CACHE,
  resultBytes: checkedLater,
};

const RESOURCE_TEMPLATE: ChecksOf<ResourceTemplateOptions> = {
  ...LISTED,
  uriTemplate: checkedLater,
  mimeType: string,
  annotations: ANNOTATIONS,
  cache: CACHE,
  resultBytes: checkedLater,
  ui: properties(APP_POLICY_CHECKS),
};

const PROMPT_ARGUMENT = properties({
  name: checkedLater,
  title: string,
  description: string,
  required: flag,
});

const PROMPT: ChecksOf<PromptOptions> = {
  ...LISTED,
  arguments: (option, value) => {
    if (Array.isArray(value)) list(PROMPT_ARGUMENT)(option, value);
  },
  annotations: ANNOTATIONS,
  resultBytes: checkedLater,
};

const COMPLETION: Checks = {
  prompt: nonEmptyString,
  resourceTemplate: nonEmptyString,
  argument: required(nonEmptyString, '"id"'),
};

const CHECKS: Readonly<Record<HandlerKind, Checks>> = {
  tool: TOOL,
  resource: RESOURCE,
  resourceTemplate: RESOURCE_TEMPLATE,
  app: APP,
  prompt: PROMPT,
  completion: COMPLETION,
};

/** The decorators that declare access. The options of handlers with a decorator must not declare it again. */
const ACCESS_DECORATORS = [
  ['requiredScopes', '@RequireScope()'],
  ['isPublic', '@Public()'],
  ['concurrency', '@Concurrency()'],
] as const;

/**
 * Checks a decorator's arguments.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function assertDecoratorOptions(kind: HandlerKind, options: unknown): void {
  for (const [option, decorator] of ACCESS_DECORATORS) {
    if (!isObject(options) || !Object.hasOwn(options, option)) continue;
    fail(option, `is only for handlers without decorators: use ${decorator} on the method instead`);
  }
  assertProperties('', options, CHECKS[kind], OPTION_ALIASES[kind]);
  if (kind === 'completion') assertCompletion(options as CompletionMembers);
}

/**
 * Checks a handler's options, including its access.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function assertHandlerOptions(kind: HandlerKind, options: unknown): void {
  assertProperties('', options, { ...CHECKS[kind], ...ACCESS }, OPTION_ALIASES[kind]);
}

interface CompletionMembers {
  readonly prompt?: string;
  readonly resourceTemplate?: string;
}

function assertCompletion({ prompt, resourceTemplate }: CompletionMembers): void {
  if (prompt === undefined && resourceTemplate === undefined) {
    fail('prompt', 'is required: set it to a prompt name such as "report", or set "resourceTemplate"');
  }
  if (prompt !== undefined && resourceTemplate !== undefined) {
    fail('resourceTemplate', 'cannot be combined with "prompt": decorate the method twice');
  }
}

/** Asserts that a key is a nonempty string. */
export function assertText(option: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  throw CatalogError.invalid(`The option "${option}" is ${show(value)}: use a non-empty string`);
}

/** Asserts that a resource has an absolute URI. */
export function assertUri(uri: unknown): asserts uri is string {
  // URIs must not contain braces (RFC 3986 §2), though `URL` accepts them.
  if (typeof uri === 'string' && uri.includes('{')) {
    throw CatalogError.invalid(`The option "uri" is ${show(uri)} and contains "{": use @ResourceTemplate()`);
  }
  if (typeof uri === 'string' && URL.canParse(uri) && !/\s/.test(uri)) return;
  throw CatalogError.invalid(`The option "uri" is ${show(uri)}: use an absolute URI such as "desk://open"`);
}

/** Checks a template's variables. Its handler receives them together with the URI. */
export function assertVariables(variables: readonly string[]): void {
  if (!variables.includes('uri')) return;
  throw CatalogError.invalid(
    'The option "uriTemplate" contains a variable "uri", but handlers receive the whole URI under that name: rename the variable',
  );
}

/** Asserts that a timeout is a number of milliseconds that a timer supports. */
export function assertTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS) return;
  throw CatalogError.invalid(
    `The option "timeoutMs" is ${show(timeoutMs)}: use a number of milliseconds greater than 0 and at most ${LONGEST_TIMER_MS}`,
  );
}

/** Checks a tool's task options. */
export function assertTaskOptions({ task, ttlMs, pollIntervalMs }: ToolOptions): void {
  if (task !== undefined && !['optional', 'required', 'forbidden'].includes(task)) {
    throw CatalogError.invalid(
      `The option "task" is ${show(task)}: use "optional", "required" or "forbidden"`,
    );
  }
  for (const [option, value] of Object.entries({ ttlMs, pollIntervalMs })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw CatalogError.invalid(
      `The option "${option}" is ${show(value)}: use a whole number of milliseconds greater than 0`,
    );
  }
}

/** Asserts that a size is a number of bytes. */
export function assertSize(size: unknown): void {
  if (size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0)) return;
  throw CatalogError.invalid(`The option "size" is ${show(size)}: use a whole number of bytes`);
}

/** Asserts that a cache hint is complete. */
export function assertCacheHint(cache: CacheHint | undefined): void {
  if (cache === undefined) return;
  const { ttlMs, scope }: { ttlMs: unknown; scope: unknown } = cache;
  const isKnownScope = scope === 'public' || scope === 'private';
  if (Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 && isKnownScope) return;
  throw CatalogError.invalid(
    `The option "cache" is ${JSON.stringify(cache)}: set "ttlMs" to a whole number of milliseconds, 0 or greater, and "scope" to "public" or "private"`,
  );
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : `of type "${typeof value}"`;
}
