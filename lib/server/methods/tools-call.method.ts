import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { encodeCallToolResult } from '../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { checkParameterHeaders } from '../../core/protocol/headers/parameter-headers.js';
import type { InputRounds } from '../input-requests/input-rounds.js';
import { readToolArguments, validateArguments } from '../catalog/parse-arguments.js';
import {
  createToolScopeFinder,
  getAuthorizedArguments,
  isDynamic,
} from '../catalog/scopes/required-scopes.js';
import type { ToolEntry } from '../catalog/entries.js';
import type { HandlerInvoker } from '../catalog/invocation/handler-invoker.js';
import type { ToolRegistry } from '../catalog/registries.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool-errors.js';
import type { CompiledSchema, ValidationOutcome } from '../schema/compiled-schema.interface.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';
import { formatIssues } from '../schema/validation-issues.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import { isForAppsAlone, showsApps } from './lists/list-pages.js';
import { shortenToolResult } from './results/shorten-result.js';
import { HandlerResultError } from './results/handler-result.js';
import type { McpMethod, MethodResult } from './mcp-method.interface.js';
import { limitTime } from './time-limit.js';
import { buildGivenResult, completeContent, type GivenResult } from './results/tool-result.js';
import type { ToolDefinition } from '../../core/protocol/definitions.js';
import type { ToolOptions } from '../settings/handler-options.interface.js';

/** Calls a tool (MCP server/tools). */
export class ToolsCallMethod implements McpMethod {
  readonly method = 'tools/call';
  readonly failsAsResult = true;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly rounds: InputRounds,
    private readonly interceptors: ToolCallInterceptors,
    private readonly settings: ServerSettings,
    private readonly limits: HandlerLimits,
    private readonly invoker: HandlerInvoker,
  ) {}

  countCall(context: RequestContext): Promise<void> | undefined {
    const { name, arguments: args = {} } = context.params;
    const tool = typeof name === 'string' ? this.#find(name, context) : undefined;
    return tool && this.limits.admit('tool', tool, { args, context });
  }

  handle(context: RequestContext): Promise<MethodResult> {
    const { name } = context.params;
    if (typeof name !== 'string') throw McpError.invalidParams('"name" must be a string');
    const tool = this.#find(name, context);
    if (tool === undefined) throw McpError.unknownTool(name);
    const given = readToolArguments(context.params);
    assertParameterHeaders(tool, given, context);
    return this.#callLimited(tool, given, context);
  }

  #find(name: string, context: RequestContext): ToolEntry | undefined {
    const tool = this.tools.find(name);
    if (tool === undefined || context.hidden?.has(tool)) return undefined;
    return tool.app !== undefined && this.#isForOtherClients(tool, context) ? undefined : tool;
  }

  #callLimited(tool: ToolEntry, given: object, context: RequestContext): Promise<MethodResult> {
    if (context.hosting !== undefined) assertScopes(tool, context);
    const timeoutMs = this.#findTimeLimit(tool, context);
    const call = (): Promise<Encoded> => this.#call(tool, given, context);
    const maxBytes = tool.resultBytes ?? this.settings.limits.resultBytes;
    if (maxBytes !== Infinity) context.resultLimit = { maxBytes, shorten: shortenToolResult };
    return limitTime(context, timeoutMs, () => this.interceptors.run(tool, context, call));
  }

  /**
   * An app-only tool cannot be called by a client that does not show apps. Calls that already run for a client were
   * admitted before.
   */
  #isForOtherClients(tool: ToolEntry, context: RequestContext): boolean {
    return isForAppsAlone(tool) && context.hosting === undefined && !showsApps(context, this.settings);
  }

  #call(tool: ToolEntry, args: object, context: RequestContext): Promise<Encoded> {
    return this.rounds.complete(
      context,
      () => this.#invoke(tool, args, context),
      (value) => this.#build(tool, value, context),
    );
  }

  /** Without an output schema, there is nothing to await. */
  #build(tool: ToolEntry, value: unknown, context: RequestContext): Encoded | Promise<Encoded> {
    const { output } = tool;
    const given = buildGivenResult(serializeInstances(value), output !== undefined);
    if (output === undefined || given.isError === true) return this.#encode(tool, given, context);
    return parseOutput(tool, output, given).then((result) => this.#encode(tool, result, context));
  }

  #encode(tool: ToolEntry, result: GivenResult, context: RequestContext): Encoded {
    const complete = completeContent(result, tool.app && describeShown(tool, context, this.settings));
    return encodeCallToolResult(complete, context.revision);
  }

  #invoke(tool: ToolEntry, given: object, context: RequestContext): unknown {
    const work = context.hosting?.work;
    if (work !== undefined) return this.invoker.serialize(() => work(context), context, tool.origin);
    const { access } = tool;
    if (isDynamic(access)) {
      const findScopes = createToolScopeFinder(tool, access.dynamic, {
        params: context.params,
        settings: this.settings,
      });
      return getAuthorizedArguments(context, { entry: tool, access, findScopes }).then((value) =>
        this.#callValidated(tool, { valid: true, value }, context),
      );
    }
    const outcome = validateArguments(tool, { given, context, settings: this.settings });
    // Most schemas validate synchronously, which saves a promise.
    if (outcome instanceof Promise)
      return outcome.then((settled) => this.#callValidated(tool, settled, context));
    return this.#callValidated(tool, outcome, context);
  }

  #callValidated(tool: ToolEntry, outcome: ValidationOutcome, context: RequestContext): unknown {
    if (!outcome.valid) throw new ToolError(formatIssues(outcome.issues));
    return this.limits.run(tool, context, () => tool.invoke(outcome.value, context));
  }

  /** The server's limit applies to calls that a client waits for; a task has a time to live instead. */
  #findTimeLimit({ timeoutMs }: ToolEntry, { task }: RequestContext): number | undefined {
    return timeoutMs ?? (task === undefined ? this.settings.callTimeoutMs : undefined);
  }
}

/** If headers repeat params, the argument headers must match too (MCP 2026-07-28 basic/transports). */
function assertParameterHeaders(tool: ToolEntry, given: unknown, { peer }: RequestContext): void {
  if (tool.parameterHeaders.length === 0 || peer.headers === undefined) return;
  const mismatch = checkParameterHeaders(tool.parameterHeaders, peer.headers, given);
  if (mismatch !== undefined) throw McpError.headerMismatch(mismatch);
}

/**
 * Checks scopes for a tool that an extension calls, because the client's request named a different target. Scopes
 * that depend on the call are checked with its arguments.
 */
function assertScopes({ access }: ToolEntry, { auth }: RequestContext): void {
  if (access !== undefined && !isDynamic(access) && access.scopes.length > 0) {
    auth.requireScope(...access.scopes);
  }
}

async function parseOutput(
  { key }: ToolEntry,
  output: CompiledSchema,
  result: GivenResult,
): Promise<GivenResult> {
  const outcome = await output.validate(result.structuredContent);
  if (outcome.valid) return { ...result, structuredContent: outcome.value };
  throw new HandlerResultError(
    `The result of the tool "${key}" does not match its output schema: ${formatIssues(outcome.issues)}`,
  );
}

/** Describes a result without text that only an app shows, for the model and for clients without apps. */
function describeShown(
  { app, definition }: ToolEntry,
  context: RequestContext,
  settings: ServerSettings,
): string | undefined {
  if (app?.resourceUri === undefined) return undefined;
  const name = definition.title ?? definition.name;
  return showsApps(context, settings)
    ? `"${name}" is shown to the user as an app`
    : `"${name}" is done; its result is an app, which this client cannot show`;
}

/** A call from the perspective of its interceptors. */
export interface ToolCall {
  readonly tool: ToolDefinition;
  /** The tool options. */
  readonly options: ToolOptions;
  readonly context: RequestContext;
}

/** A wrapper around tool calls. */
export interface ToolCallInterceptor {
  interceptToolCall?(call: ToolCall, next: () => Promise<Encoded>): Promise<Encoded>;
}

/** The extensions' wrappers around tool calls, outermost first. */
export class ToolCallInterceptors {
  readonly #interceptors: ToolCallInterceptor[] = [];

  add(interceptor: ToolCallInterceptor): void {
    if (interceptor.interceptToolCall !== undefined) this.#interceptors.push(interceptor);
  }

  /** Runs a call through all interceptors, except the one that makes the call. */
  run(
    { definition: tool, options }: ToolEntry,
    context: RequestContext,
    call: () => Promise<Encoded>,
  ): Promise<Encoded> {
    if (this.#interceptors.length === 0) return call();
    return this.#interceptors.reduceRight<() => Promise<Encoded>>((next, interceptor) => {
      if (interceptor === context.hosting?.maker) return next;
      return async () => interceptor.interceptToolCall?.({ tool, options, context }, next) ?? next();
    }, call)();
  }
}
