import { isObject } from '../../../../core/protocol/json-rpc.js';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { TASKS_EXTENSION } from '../../../../core/protocol/meta-keys.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { NO_AUTH } from '../../../context/request-auth.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { ToolOptions } from '../../../settings/handler-options.interface.js';
import type { TaskProfile } from '../../../settings/extensions/task-store.interface.js';

/**
 * Selects the profile for a call that becomes a task. Returns `undefined` if it runs as a plain call.
 *
 * @throws {McpError} -32021 or -32601 if the tool runs only as a task and the client does not support tasks
 * @throws {AuthError} 401 if the call must become a task, which an anonymous caller could not read
 */
export function selectProfile(
  support: NonNullable<ToolOptions['task']>,
  context: ExtensionContext,
): TaskProfile | undefined {
  if (support === 'forbidden') {
    if (requestsTask(context)) throw rejectUse(context, 'cannot run as a task: omit "task"');
    return undefined;
  }
  const profile = findSupported(context);
  if (profile === undefined && support === 'required') throw missingTask(context);
  if (!cannotReadTask(context)) return profile;
  if (support === 'required' || requestsTask(context)) context.auth.requireScope();
  return undefined;
}

/** Finds the profile for a client's tasks. Returns `undefined` for a caller that could not read them. */
export function findProfile(context: ExtensionContext): TaskProfile | undefined {
  return cannotReadTask(context) ? undefined : findSupported(context);
}

/** A public tool can be called without a token, but its task could not be read without one. */
function cannotReadTask({ auth }: ExtensionContext): boolean {
  return auth !== NO_AUTH && auth.claims === undefined;
}

function findSupported(context: ExtensionContext): TaskProfile | undefined {
  const isDeclared = context.hasExtension(TASKS_EXTENSION);
  if (context.revision.kind === 'perRequest') return isDeclared ? 'published' : undefined;
  if (requestsTask(context)) return 'core';
  return isDeclared ? 'service' : undefined;
}

/** Only 2025-11-25 defines the parameter; other revisions ignore it. */
function requestsTask({ revision, params }: ExtensionContext): boolean {
  return revision.defines.tasksCapability && isObject(params['task']);
}

function missingTask(context: ExtensionContext): McpError {
  return context.revision.defines.tasksCapability
    ? rejectUse(context, 'runs only as a task: send "task" with the call')
    : McpError.missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
}

/** @see MCP 2025-11-25 basic/utilities/tasks, "Tool-Level Negotiation" */
function rejectUse({ params }: ExtensionContext, explanation: string): McpError {
  return new McpError(ErrorCode.MethodNotFound, `The tool "${String(params['name'])}" ${explanation}`);
}
