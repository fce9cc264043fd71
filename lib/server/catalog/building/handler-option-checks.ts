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

/** Names that other libraries and the protocol have for options. If you use one, the error gives the right name. */
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

/** One check per option; a missing one is a type error. */
type ChecksOf<Options> = Readonly<Record<keyof Options, Check>>;

/** What {@link ./assert-options.ts} and the compilers of schemas check, with what they know of it. */
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
 * Checks what a decorator was given.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function assertDecoratorOptions(kind: HandlerKind, options: unknown): void {
  for (const [option, decorator] of ACCESS_DECORATORS) {
    if (!isObject(options) || !Object.hasOwn(options, option)) continue;
    fail(option, `is an option of handlers that no decorator declares: put ${decorator} on the method`);
  }
  assertProperties('', options, CHECKS[kind], OPTION_ALIASES[kind]);
  if (kind === 'completion') assertCompletion(options as CompletionMembers);
}

/**
 * Checks the options of a handler, with who may call it.
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
    fail('prompt', 'is required: write for example "report", or give "resourceTemplate"');
  }
  if (prompt !== undefined && resourceTemplate !== undefined) {
    fail('resourceTemplate', 'cannot stand beside "prompt": decorate the method twice');
  }
}

/** Asserts that a key is a string that is not empty. */
export function assertText(option: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  throw CatalogError.invalid(`The option "${option}" is ${show(value)}: give a string that is not empty`);
}

/** Asserts that a resource has an absolute URI. */
export function assertUri(uri: unknown): asserts uri is string {
  // URIs must not contain braces (RFC 3986 §2), though `URL` accepts them.
  if (typeof uri === 'string' && uri.includes('{')) {
    throw CatalogError.invalid(`The option "uri" is ${show(uri)} and has a "{": use @ResourceTemplate()`);
  }
  if (typeof uri === 'string' && URL.canParse(uri) && !/\s/.test(uri)) return;
  throw CatalogError.invalid(
    `The option "uri" is ${show(uri)}: give an absolute URI, for example "desk://open"`,
  );
}

/** Checks the variables of a template. Its handler gets them together with the URI. */
export function assertVariables(variables: readonly string[]): void {
  if (!variables.includes('uri')) return;
  throw CatalogError.invalid(
    'The option "uriTemplate" has a variable "uri", but handlers get the whole URI under this name: give the variable another name',
  );
}

/** Asserts that a timeout is in milliseconds that a timer supports. */
export function assertTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS) return;
  throw CatalogError.invalid(
    `The option "timeoutMs" is ${show(timeoutMs)}: give milliseconds above 0 and up to ${LONGEST_TIMER_MS}`,
  );
}

/** Checks the options of a tool as a task. */
export function assertTaskOptions({ task, ttlMs, pollIntervalMs }: ToolOptions): void {
  if (task !== undefined && !['optional', 'required', 'forbidden'].includes(task)) {
    throw CatalogError.invalid(
      `The option "task" is ${show(task)}: give "optional", "required" or "forbidden"`,
    );
  }
  for (const [option, value] of Object.entries({ ttlMs, pollIntervalMs })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw CatalogError.invalid(
      `The option "${option}" is ${show(value)}: give a whole number of milliseconds above 0`,
    );
  }
}

/** Asserts that a size is a number of bytes. */
export function assertSize(size: unknown): void {
  if (size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0)) return;
  throw CatalogError.invalid(`The option "size" is ${show(size)}: give a whole number of bytes`);
}

/** Asserts that a cache hint is complete. */
export function assertCacheHint(cache: CacheHint | undefined): void {
  if (cache === undefined) return;
  const { ttlMs, scope }: { ttlMs: unknown; scope: unknown } = cache;
  const isKnownScope = scope === 'public' || scope === 'private';
  if (Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 && isKnownScope) return;
  throw CatalogError.invalid(
    `The option "cache" is ${JSON.stringify(cache)}: give "ttlMs" as whole milliseconds from 0 and "scope" as "public" or "private"`,
  );
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : `of type "${typeof value}"`;
}
