import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { RequestContext } from '../../context/request-context.js';
import { ToolError } from '../../context/tool-errors.js';
import { formatIssues } from '../../schema/validation-issues.js';
import type { ScopedCall, VisibilityContext } from '../../settings/scoped-call.interface.js';
import {
  parsePromptArguments,
  readToolArguments,
  validateArguments,
  type ValidatedCall,
} from '../parse-arguments.js';
import type {
  Access,
  CatalogEntry,
  CompletionEntry,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../entries.js';
import type { DynamicScopes } from './dynamic-scopes.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import { isDeepStrictEqual } from 'node:util';
import type { Hosting } from '../../context/request-parts.interface.js';

/** Scopes, or a promise of them. */
type Scopes = readonly string[] | Promise<readonly string[]>;

/** Returns the scopes that a request requires for its arguments. If it throws or rejects, the request is refused. */
export type ScopeFinder = (context: RequestContext) => Scopes;

const NO_VARIABLES: ScopedCall['variables'] = Object.freeze({});

/** Returns a tool call's scopes for the arguments that the handler receives. No others reach the handler. */
export function createToolScopeFinder(
  tool: ToolEntry,
  dynamic: DynamicScopes,
  { params, settings }: { readonly params: Params; readonly settings: ValidatedCall['settings'] },
): ScopeFinder {
  return async (context) => {
    const outcome = await validateArguments(tool, { given: readToolArguments(params), context, settings });
    if (!outcome.valid) throw new ToolError(formatIssues(outcome.issues));
    storeArguments(context, tool, outcome.value);
    return dynamic.resolve({
      kind: 'tool',
      name: tool.key,
      arguments: toArguments(outcome.value),
      variables: NO_VARIABLES,
      context,
    });
  };
}

/** Creates a function that finds a prompt's scopes. */
export function createPromptScopeFinder(
  prompt: PromptEntry,
  dynamic: DynamicScopes,
  params: Params,
): ScopeFinder {
  return async (context) => {
    const { arguments: given = {} } = params;
    const value = await parsePromptArguments(prompt, given);
    storeArguments(context, prompt, value);
    return dynamic.resolve({
      kind: 'prompt',
      name: prompt.key,
      arguments: toArguments(value),
      variables: NO_VARIABLES,
      context,
    });
  };
}

/** A resource that a request names. */
export interface NamedResource {
  readonly uri: string;
  readonly entry: ResourceEntry | ResourceTemplateEntry;
  readonly variables: ScopedCall['variables'];
}

/** Finds the scopes required to read or subscribe to a resource. */
export function findResourceScopes(
  { uri, entry, variables }: NamedResource,
  dynamic: DynamicScopes,
  context: VisibilityContext,
): Scopes {
  return dynamic.resolve({
    kind: 'template' in entry ? 'resourceTemplate' : 'resource',
    name: entry.definition.name,
    arguments: { ...variables, uri },
    variables,
    uri,
    context,
  });
}

/** The prompt or a completion's template. */
export interface CompletionTarget {
  /** A prompt, a resource or its template, or the completion itself. */
  readonly entry: CompletionEntry | PromptEntry | ResourceEntry | ResourceTemplateEntry;
  /** The argument to complete. */
  readonly argument: string | undefined;
}

/** Creates a function that finds the scopes of a completion from the arguments that the user has already set. */
export function createCompletionScopeFinder(
  { entry, argument }: CompletionTarget,
  dynamic: DynamicScopes,
  params: Params,
): ScopeFinder {
  return (context) => {
    const given = params['context'];
    const settled = toArguments(isObject(given) ? given['arguments'] : undefined);
    return dynamic.resolve({
      ...describeCompleted(entry),
      arguments: settled,
      variables: 'template' in entry ? selectTexts(settled) : NO_VARIABLES,
      completes: argument,
      context,
    });
  };
}

function describeCompleted(entry: CompletionTarget['entry']): Pick<ScopedCall, 'kind' | 'name'> {
  if (!('definition' in entry)) return { kind: 'completion', name: entry.key };
  const { name } = entry.definition;
  if ('template' in entry) return { kind: 'resourceTemplate', name };
  return { kind: 'uri' in entry.definition ? 'resource' : 'prompt', name };
}

function toArguments(value: unknown): ScopedCall['arguments'] {
  return isObject(value) ? value : {};
}

/** @throws {McpError} -32602 if a variable is not a string */
function selectTexts(settled: ScopedCall['arguments']): ScopedCall['variables'] {
  for (const [name, value] of Object.entries(settled)) {
    if (typeof value !== 'string')
      throw McpError.invalidParams(`"context.arguments.${name.slice(0, 100)}" must be a string`);
  }
  return settled as ScopedCall['variables'];
}

/** The access for entries whose scopes depend on the call. */
type DynamicAccess = Access & { readonly dynamic: DynamicScopes };

/** What is called. */
interface ScopedEntry {
  readonly entry: CatalogEntry;
  readonly access: DynamicAccess;
  /** Parses and stores the arguments, and returns their scopes. */
  readonly findScopes: ScopeFinder;
}

export function isDynamic(access: Access | undefined): access is DynamicAccess {
  return access?.dynamic !== undefined;
}

/**
 * Returns the arguments from which a call's scopes were determined. If there are none, as in a process that recovers
 * a task, they are parsed again. The schema may convert them differently then, so their scopes are checked again.
 *
 * @throws {AuthError} if the caller lacks a required scope
 */
export async function getAuthorizedArguments(
  context: RequestContext,
  { entry, access, findScopes }: ScopedEntry,
): Promise<unknown> {
  const authorized = findStoredArguments(context, entry);
  if (authorized !== undefined) return authorized.value;
  const scopes = mergeScopes(access.scopes, await findScopes(context));
  if (scopes.length > 0) context.auth.requireScope(...scopes);
  return findStoredArguments(context, entry)?.value;
}

/** The parsed arguments of a request. */
interface Parsed {
  readonly entry: CatalogEntry;
  readonly value: unknown;
  /** As they were sent. */
  readonly given: unknown;
}

/** The parts of a request that identify its arguments. */
interface ArgumentSource {
  readonly params: Params;
  readonly hosting?: Hosting | undefined;
}

const parsed = new WeakMap<object, Parsed>();

/** Stores the arguments that determined a request's scopes. Only these may reach the handler. */
function storeArguments(context: Pick<ArgumentSource, 'params'>, entry: CatalogEntry, value: unknown): void {
  parsed.set(context, { entry, value, given: context.params['arguments'] });
}

/**
 * Finds the stored arguments for an entry, from the request itself or from the request on whose behalf it is made.
 * Returns `undefined` if no scopes depend on its arguments.
 */
function findStoredArguments(
  context: ArgumentSource,
  entry: CatalogEntry,
): Pick<Parsed, 'value'> | undefined {
  const found = parsed.get(context) ?? findOfOrigin(context);
  return found?.entry === entry ? found : undefined;
}

/** A call made on behalf of another may have different arguments. */
function findOfOrigin({ params, hosting }: ArgumentSource): Parsed | undefined {
  const found = hosting?.origin && parsed.get(hosting.origin);
  return found !== undefined && isDeepStrictEqual(found.given, params['arguments']) ? found : undefined;
}
