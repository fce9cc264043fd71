import type { CompleteRequest, RequestOptions } from '@modelcontextprotocol/client';
import { guardListener } from './guard-listener.js';
import type { McpCallOptions, McpCompletionRequest } from './mcp-client-calls.interface.js';

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
