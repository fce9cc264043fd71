import { setMaxListeners } from 'node:events';
import type { CompleteRequest, Progress, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { Observers } from '../../core/log/observers.js';
import { Logger } from '../../core/logger/logger.js';

/** Options for a list request. The client's timeout applies, because other callers may wait for the same list. */
export interface McpListOptions {
  /** Stops waiting for the list. The fetch continues for other callers. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for all other client requests. */
export interface McpRequestOptions {
  /** Cancels the request, and notifies the server. */
  readonly signal?: AbortSignal | undefined;
  /** The request timeout, in milliseconds. Progress restarts it. @default the client's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** How long to wait, in total, for a server that limits requests, in milliseconds. @default the client's `limitWaitMs` */
  readonly limitWaitMs?: number | undefined;
  /**
   * Forwards the request on behalf of another client: a result that requires input is returned, with `resultType`
   * `input_required`, and `structuredContent` is not validated. @default the application's handlers respond
   */
  readonly forward?: McpForwardedRequest | undefined;
}

/**
 * One round of a request that is forwarded on behalf of another client.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export interface McpForwardedRequest {
  /** The responses to the input requests of the previous round. @default none */
  readonly inputResponses?: { readonly [key: string]: unknown } | undefined;
  /** The `requestState` of the previous round. @default none */
  readonly requestState?: string | undefined;
  /** Properties of `_meta`. Only servers without sessions receive them. @default none */
  readonly meta?: { readonly [key: string]: unknown } | undefined;
  /** The listed tool, for arguments that the request repeats as headers. @default from the cached list */
  readonly tool?: Tool | undefined;
}

/** Options for a tool call. */
export interface McpCallOptions extends McpRequestOptions {
  /**
   * Called with the call's progress, even while it runs as a task. Without a session, tasks have no progress, so the
   * client avoids a task unless `onStatus` or `task` is also passed. If the tool requires a task, each status message
   * counts as progress.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with the call's status, if the server makes it a task. */
  readonly onStatus?: ((status: McpTaskStatus) => void) | undefined;
  /**
   * Requests a task, and optionally how long the server retains it. 2025-11-25 servers create a task only on request.
   * By default, the client requests one if the tool requires it; with `false`, it never does. Servers with other
   * revisions decide themselves.
   * @default undefined
   */
  readonly task?: boolean | { readonly ttlMs: number } | undefined;
}

/** An argument to complete (MCP server/utilities/completion). */
export interface McpCompletionRequest {
  /** The prompt or the resource template that has the argument. */
  readonly ref: { readonly prompt: string } | { readonly resourceTemplate: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments that already have a value. @default {} */
  readonly settled?: { readonly [name: string]: string } | undefined;
}

/** A task's status, reported at each change. */
export interface McpTaskStatus {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
}

/** Builds a completion request's parameters. */
export function buildCompletion({ ref, argument, settled }: McpCompletionRequest): CompleteRequest['params'] {
  return {
    ref:
      'prompt' in ref
        ? { type: 'ref/prompt', name: ref.prompt }
        : { type: 'ref/resource', uri: ref.resourceTemplate },
    argument,
    ...(settled && { context: { arguments: { ...settled } } }),
  };
}

/** Builds the official client's options for a request. */
export function buildRequestOptions(
  { signal, timeoutMs: timeout, onProgress, forward }: McpCallOptions,
  defaultMs: number,
): RequestOptions {
  // Any number of requests may share a signal. Each removes its listeners at its end.
  if (signal) setMaxListeners(0, signal);
  return {
    ...(forward && { allowInputRequired: true, toolDefinition: omitOutputSchema(forward.tool) }),
    timeout: timeout ?? defaultMs,
    resetTimeoutOnProgress: true,
    onprogress: onProgress === undefined ? ignoreProgress : guardListener('onProgress', onProgress),
    ...(signal && { signal }),
  };
}

/** Without an output schema, the official client does not require structured content of an intermediate result. */
function omitOutputSchema(tool: Tool | undefined): Tool {
  const { outputSchema: _outputSchema, ...rest } = tool ?? { name: '', inputSchema: { type: 'object' } };
  return rest;
}

/** Builds the parameters of a forwarded request, in addition to its own. */
export function buildForwardedParams(
  { forward }: McpRequestOptions,
  { isPerRequest }: { readonly isPerRequest: boolean },
): object {
  if (forward === undefined || !isPerRequest) return {};
  const { inputResponses, requestState, meta } = forward;
  return {
    ...(inputResponses && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
    ...(meta && { _meta: meta }),
  };
}

/** Requests progress even without a listener, because progress restarts the timeout. */
function ignoreProgress(): void {}

const observers = new Observers(new Logger('McpClient'));

/** Wraps one of the application's listeners, so that an error in it does not fail the call. */
export function guardListener<Heard>(option: string, listen: (heard: Heard) => void): (heard: Heard) => void {
  return (heard) => {
    observers.run(`"${option}"`, () => listen(heard));
  };
}
