import type { CompleteRequest, Progress, RequestOptions } from '@modelcontextprotocol/client';
import { Observers } from '../../core/log/observers.js';
import { Logger } from '../../core/logger/logger.js';

/** Options of a list. The timeout is the client's, because other callers may wait for the same list. */
export interface McpListOptions {
  /** Stops waiting for the list. The fetch continues for other callers. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every other request of a client. */
export interface McpRequestOptions {
  /** Cancels the request, and notifies the server. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the response. Progress restarts the timeout. @default the client's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait, in all, for a server that limits requests. @default the client's `limitWaitMs` */
  readonly limitWaitMs?: number | undefined;
}

/** Options of a call of a tool. */
export interface McpCallOptions extends McpRequestOptions {
  /**
   * Is called with the progress of the call, also while it is a task. Without a session, tasks have no progress, so the
   * client avoids a task unless `onStatus` or `task` is passed too. If the tool requires a task, each status message
   * counts as progress.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Is called with the status of the call, if the server makes it a task. */
  readonly onStatus?: ((status: McpTaskStatus) => void) | undefined;
  /**
   * Requests a task, and optionally how long the server retains it. 2025-11-25 servers only create a task on request.
   * By default, the client requests one if the tool requires it; with `false` it never does. Other servers decide
   * themselves.
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

/** Builds the parameters of a completion request. */
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

/** Requests progress even without a listener, because progress restarts the timeout. */
function ignoreProgress(): void {}

const observers = new Observers(new Logger('McpClient'));

/** Wraps a listener of the application, so that an error in it does not fail the call. */
export function guardListener<Heard>(option: string, listen: (heard: Heard) => void): (heard: Heard) => void {
  return (heard) => {
    observers.run(`"${option}"`, () => listen(heard));
  };
}
