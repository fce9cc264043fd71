import type { Progress } from '@modelcontextprotocol/client';
import type { McpTaskStatus } from './tasks/task-options.interface.js';

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
