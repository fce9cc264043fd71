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
type Told = readonly string[] | Promise<readonly string[]>;

/** Returns the scopes that a request needs for its arguments. What cannot be told throws, or rejects: the request is refused. */
export type TellScopes = (context: RequestContext) => Told;

const NO_VARIABLES: ScopedCall['variables'] = Object.freeze({});

/** Returns the scopes of a tool call for the arguments that the handler gets. No others reach the handler. */
export function demandTool(
  tool: ToolEntry,
  dynamic: DynamicScopes,
  { params, settings }: { readonly params: Params; readonly settings: ValidatedCall['settings'] },
): TellScopes {
  return async (context) => {
    const outcome = await validateArguments(tool, { given: readToolArguments(params), context, settings });
    if (!outcome.valid) throw new ToolError(formatIssues(outcome.issues));
    keepParsed(context, tool, outcome.value);
    return dynamic.tell({
      kind: 'tool',
      name: tool.key,
      arguments: toArguments(outcome.value),
      variables: NO_VARIABLES,
      context,
    });
  };
}

/** Tells what a prompt needs. */
export function demandPrompt(prompt: PromptEntry, dynamic: DynamicScopes, params: Params): TellScopes {
  return async (context) => {
    const { arguments: given = {} } = params;
    const value = await parsePromptArguments(prompt, given);
    keepParsed(context, prompt, value);
    return dynamic.tell({
      kind: 'prompt',
      name: prompt.key,
      arguments: toArguments(value),
      variables: NO_VARIABLES,
      context,
    });
  };
}

/** A resource as a request names it. */
export interface NamedResource {
  readonly uri: string;
  readonly entry: ResourceEntry | ResourceTemplateEntry;
  readonly variables: ScopedCall['variables'];
}

/** Tells what it takes to read a resource, or to follow it. */
export function tellOfResource(
  { uri, entry, variables }: NamedResource,
  dynamic: DynamicScopes,
  context: VisibilityContext,
): Told {
  return dynamic.tell({
    kind: 'template' in entry ? 'resourceTemplate' : 'resource',
    name: entry.definition.name,
    arguments: { ...variables, uri },
    variables,
    uri,
    context,
  });
}

/** The prompt or the template of a completion. */
export interface Completed {
  /** A prompt, a resource or its template, or the completion itself. */
  readonly entry: CompletionEntry | PromptEntry | ResourceEntry | ResourceTemplateEntry;
  /** The argument that is completed. */
  readonly argument: string | undefined;
}

/** Tells what it takes to get suggestions, by the arguments that the user has settled before. */
export function demandCompletion(
  { entry, argument }: Completed,
  dynamic: DynamicScopes,
  params: Params,
): TellScopes {
  return (context) => {
    const given = params['context'];
    const settled = toArguments(isObject(given) ? given['arguments'] : undefined);
    return dynamic.tell({
      ...describeCompleted(entry),
      arguments: settled,
      variables: 'template' in entry ? selectTexts(settled) : NO_VARIABLES,
      completes: argument,
      context,
    });
  };
}

function describeCompleted(entry: Completed['entry']): Pick<ScopedCall, 'kind' | 'name'> {
  if (!('definition' in entry)) return { kind: 'completion', name: entry.key };
  const { name } = entry.definition;
  if ('template' in entry) return { kind: 'resourceTemplate', name };
  return { kind: 'uri' in entry.definition ? 'resource' : 'prompt', name };
}

function toArguments(value: unknown): ScopedCall['arguments'] {
  return isObject(value) ? value : {};
}

/** @throws {McpError} -32602 if a variable is settled with something else than a text */
function selectTexts(settled: ScopedCall['arguments']): ScopedCall['variables'] {
  for (const [name, value] of Object.entries(settled)) {
    if (typeof value !== 'string')
      throw McpError.invalidParams(`"context.arguments.${name.slice(0, 100)}" must be a string`);
  }
  return settled as ScopedCall['variables'];
}

/** The access of entries whose scopes depend on the call. */
type DynamicAccess = Access & { readonly dynamic: DynamicScopes };

/** What is called. */
interface ScopedEntry {
  readonly entry: CatalogEntry;
  readonly access: DynamicAccess;
  /** Parses the arguments, keeps them and tells their scopes. */
  readonly tell: TellScopes;
}

export function isDynamic(access: Access | undefined): access is DynamicAccess {
  return access?.dynamic !== undefined;
}

/**
 * Returns the arguments of a call from which its scopes were determined. If there are none, as in another process that
 * takes over a task, they are parsed again. The schema may then give other values, so these need permission too.
 *
 * @throws {AuthError} if the caller lacks a scope that they take
 */
export async function getAuthorized(
  context: RequestContext,
  { entry, access, tell }: ScopedEntry,
): Promise<unknown> {
  const authorized = findParsed(context, entry);
  if (authorized !== undefined) return authorized.value;
  const scopes = mergeScopes(access.scopes, await tell(context));
  if (scopes.length > 0) context.auth.requireScope(...scopes);
  return findParsed(context, entry)?.value;
}

/** Arguments of a request as the handler takes them. */
interface Parsed {
  readonly entry: CatalogEntry;
  readonly value: unknown;
  /** As they were sent. */
  readonly given: unknown;
}

/** A request, as far as it tells with what it calls. */
interface Calling {
  readonly params: Params;
  readonly hosting?: Hosting | undefined;
}

const parsed = new WeakMap<object, Parsed>();

/** Keeps arguments that were parsed to tell the scopes of a request: these and no others must reach the handler. */
function keepParsed(context: Pick<Calling, 'params'>, entry: CatalogEntry, value: unknown): void {
  parsed.set(context, { entry, value, given: context.params['arguments'] });
}

/**
 * Finds the arguments that were parsed for an entry, by a request or by the request that it serves. Returns `undefined`
 * if no scopes depend on its arguments.
 */
function findParsed(context: Calling, entry: CatalogEntry): Pick<Parsed, 'value'> | undefined {
  const found = parsed.get(context) ?? findOfOrigin(context);
  return found?.entry === entry ? found : undefined;
}

/** Who makes a call for another may call with other arguments. */
function findOfOrigin({ params, hosting }: Calling): Parsed | undefined {
  const found = hosting?.origin && parsed.get(hosting.origin);
  return found !== undefined && isDeepStrictEqual(found.given, params['arguments']) ? found : undefined;
}
