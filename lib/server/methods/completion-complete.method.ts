import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { encodeCompleteResult } from '../../core/protocol/encoding/encode-result.js';
import { isObject, isStringArray } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { CompleteResult } from '../../core/protocol/results.js';
import type { CompletionEntry } from '../catalog/entries.js';
import type {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
} from '../catalog/registries.js';
import type { RequestContext } from '../context/request-context.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { HandlerResultError } from './results/handler-result.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import type { McpMethod } from './mcp-method.interface.js';
import { limitTime } from './time-limit.js';

/** Entries that are hidden from the caller. */
type Hidden = RequestContext['hidden'];

/** Completes a prompt argument or a template variable (MCP server/utilities/completion). */
export class CompletionCompleteMethod implements McpMethod {
  readonly method = 'completion/complete';

  constructor(
    private readonly completions: CompletionRegistry,
    private readonly prompts: PromptRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly settings: ServerSettings,
    private readonly limits: HandlerLimits,
  ) {}

  countCall(context: RequestContext): Promise<void> | undefined {
    const { argument, context: settled } = context.params;
    const completion = isObject(argument) ? this.#findExisting(argument['name'], context) : undefined;
    if (completion === undefined) return undefined;
    const args = { ...(argument as object), arguments: isObject(settled) ? settled['arguments'] : undefined };
    return this.limits.admit('completion', completion, { args, context });
  }

  async handle(context: RequestContext): Promise<Encoded> {
    const { argument } = context.params;
    if (!isObject(argument) || !isText(argument['name']) || !isText(argument['value'])) {
      throw McpError.invalidParams('"argument" must have the string properties "name" and "value"');
    }
    const { name, value } = argument;
    const completion = this.#find(context.params['ref'], name, context.hidden);
    if (completion === undefined)
      return encodeCompleteResult(this.#suggestListed(context.params['ref'], { name, value }));
    const given = { name, value, arguments: parseSettled(context.params['context']) };
    const { callTimeoutMs } = this.settings;
    const values = await limitTime(context, callTimeoutMs, () =>
      this.limits.run(completion, context, () => completion.invoke(given, context)),
    );
    return encodeCompleteResult(buildCompleteResult(values));
  }

  /** Suggests the listed values for an argument that no handler completes. */
  #suggestListed(
    reference: unknown,
    { name, value }: { readonly name: string; readonly value: string },
  ): CompleteResult {
    const isOfPrompt = isObject(reference) && reference['type'] === 'ref/prompt';
    const prompt = isOfPrompt && isText(reference['name']) ? this.prompts.find(reference['name']) : undefined;
    const listed = prompt?.values?.get(name) ?? [];
    const beginning = value.toLowerCase();
    return { completion: { values: listed.filter((one) => one.toLowerCase().startsWith(beginning)) } };
  }

  #findExisting(argument: unknown, { params, hidden }: RequestContext): CompletionEntry | undefined {
    try {
      return isText(argument) ? this.#find(params['ref'], argument, hidden) : undefined;
    } catch {
      return undefined;
    }
  }

  #find(reference: unknown, argument: string, hidden: Hidden): CompletionEntry | undefined {
    if (isObject(reference) && reference['type'] === 'ref/prompt' && isText(reference['name'])) {
      return this.#findForPrompt(reference['name'], argument, hidden);
    }
    if (isObject(reference) && reference['type'] === 'ref/resource' && isText(reference['uri'])) {
      return this.#findForTemplate(reference['uri'], argument, hidden);
    }
    throw McpError.invalidParams(
      '"ref" must be { type: "ref/prompt", name } or { type: "ref/resource", uri }',
    );
  }

  #findForPrompt(name: string, argument: string, hidden: Hidden): CompletionEntry | undefined {
    const prompt = this.prompts.find(name);
    if (prompt === undefined || hidden?.has(prompt)) throw McpError.unknownPrompt(name);
    if (!(prompt.definition.arguments ?? []).some((known) => known.name === argument)) {
      throw McpError.unknownArgument(argument);
    }
    return this.completions.findFor({ prompt: name, argument });
  }

  #findForTemplate(uri: string, argument: string, hidden: Hidden): CompletionEntry | undefined {
    const template = this.templates.find(uri);
    if (template === undefined || hidden?.has(template)) {
      const resource = this.resources.find(uri);
      if (resource !== undefined && hidden?.has(resource) !== true) return undefined;
      throw McpError.unknownTemplate(uri);
    }
    if (!template.template.variables.includes(argument)) throw McpError.unknownVariable(argument);
    return this.completions.findFor({ resourceTemplate: uri, argument });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the arguments that the user has already set. */
function parseSettled(context: unknown): object {
  if (context === undefined) return {};
  if (!isObject(context)) throw McpError.invalidParams('"context" must be an object');
  const { arguments: settled = {} } = context;
  if (isObject(settled)) return settled;
  throw McpError.invalidParams('"context.arguments" must be an object');
}

function buildCompleteResult(given: unknown): CompleteResult {
  if (isStringArray(given)) return { completion: { values: given } };
  if (!isObject(given) || !isStringArray(given['values'])) {
    throw new HandlerResultError('A completion must return strings or { values, total, hasMore }');
  }
  const { values, total, hasMore } = given;
  if (isGiven(total) && !isCount(total)) {
    throw new HandlerResultError('The property "total" must be a non-negative integer');
  }
  if (isGiven(hasMore) && typeof hasMore !== 'boolean') {
    throw new HandlerResultError('The property "hasMore" must be a boolean');
  }
  return { completion: { values, ...(isGiven(total) && { total }), ...(isGiven(hasMore) && { hasMore }) } };
}

/** Databases return `null` for missing values. */
function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
