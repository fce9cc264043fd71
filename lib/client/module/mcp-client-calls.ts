import type { CompleteRequest, Progress, RequestOptions } from '@modelcontextprotocol/client';
import { Observers } from '../../core/log/observers.js';
import { Logger } from '../../core/logger/logger.js';

/** Options of a list. The time-out is that of the client, because other callers may wait for the same list. */
export interface McpListOptions {
  /** Ends waiting for the list; the fetch continues for others who wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every other request of a client. */
export interface McpRequestOptions {
  /** Cancels the request, and tells the server. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the answer may take; progress starts the time again. @default the client's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait, in all, for a server that limits requests. @default the client's `limitWaitMs` */
  readonly limitWaitMs?: number | undefined;
}

/** Options of a call of a tool. */
export interface McpCallOptions extends McpRequestOptions {
  /**
   * Is called with the progress of the call, also while it is a task. Without a session, tasks have no progress. The client
   * then avoids a task, unless `onStatus` or `task` is given too. If the tool requires one, each status message counts as
   * progress.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Is called with the status of the call, if the server makes it a task. */
  readonly onStatus?: ((status: McpTaskStatus) => void) | undefined;
  /**
   * Asks for a task, and may say how long the server keeps it. Servers of 2025-11-25 make a task only if they are asked. By
   * default the client asks if the tool requires a task, and with `false` it does not ask. Other servers decide for themselves.
   *
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

/** The status of a task, reported at each change. */
export interface McpTaskStatus {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
}

/** Builds what asks for a completion. */
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

/** Builds how a request is sent, and for how long its answer is waited for. */
export function buildRequestOptions(
  { signal, timeoutMs: timeout, onProgress }: McpCallOptions,
  defaultMs: number,
): RequestOptions {
  return {
    timeout: timeout ?? defaultMs,
    resetTimeoutOnProgress: true,
    onprogress: onProgress === undefined ? ignoreProgress : guardListener('onProgress', onProgress),
    ...(signal && { signal }),
  };
}

/** Without somebody to tell, the server is not asked for progress, and none can start the time again. */
function ignoreProgress(): void {}

const observers = new Observers(new Logger('McpClient'));

/** Guards a call from the function that its caller passed to follow it: if that fails, the call goes on. */
export function guardListener<Heard>(option: string, listen: (heard: Heard) => void): (heard: Heard) => void {
  return (heard) => {
    observers.run(`"${option}"`, () => listen(heard));
  };
}
