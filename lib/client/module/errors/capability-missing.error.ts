import { isObject } from '../../../core/protocol/json-rpc.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { TASKS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import { QUESTION_KINDS } from '../handlers/client-handler-metadata.js';
import { McpClientError } from './mcp-client.error.js';

type Capabilities = { readonly [name: string]: unknown };

/**
 * Is thrown if the server needs something of the client that the client has not declared, such as answers to questions. The
 * message names the decorator or the option that provides it.
 *
 * @see MCP 2026-07-28 basic, error -32021
 */
export class McpCapabilityMissingError extends McpClientError {
  override readonly name = 'McpCapabilityMissingError';
  readonly code = 'capability_missing';

  constructor(
    client: string,
    /** What the server needs, as a `ClientCapabilities` object. */
    readonly requiredCapabilities: { readonly [name: string]: unknown },
    cause: unknown,
  ) {
    super(
      client,
      `The server needs what the client "${client}" does not declare: ${explainCapabilities(client, requiredCapabilities)}`,
      { cause },
    );
  }
}

/** What the official client calls it if a server asks a question in its answer that has no handler. */
const UNHANDLED = 'CAPABILITY_NOT_SUPPORTED';

/** Finds what a server needs of the client. Returns `undefined` if a request failed for another reason. */
export function findRequiredCapabilities(error: unknown): Capabilities | undefined {
  if (!isObject(error) || !isObject(error['data'])) return undefined;
  const { code, data } = error;
  if (code === UNHANDLED) {
    const kind = QUESTION_KINDS.get(String(data['method']));
    return kind && { [kind]: {} };
  }
  const { requiredCapabilities } = data;
  const isMissing = code === ErrorCode.MissingRequiredClientCapability;
  return isMissing && isObject(requiredCapabilities) ? requiredCapabilities : undefined;
}

/** Says what provides the capabilities that a client lacks. */
export function explainCapabilities(client: string, required: Capabilities): string {
  const remedies = Object.entries(required).flatMap(([name, parts]) => explainOne(client, name, parts));
  return remedies.length === 0 ? 'set "capabilities" of the client' : remedies.join('; ');
}

function explainOne(client: string, name: string, parts: unknown): readonly string[] {
  const members = isObject(parts) ? Object.keys(parts) : [];
  switch (name) {
    case 'elicitation':
      return [
        members.includes('url')
          ? `to have the user open pages, add a method with @McpElicitation({ client: ${JSON.stringify(client)}, url: true }) to a provider`
          : `to ask the user, add a method with @McpElicitation(${JSON.stringify(client)}) to a provider`,
      ];
    case 'sampling':
      return [
        `to ask the model, add a method with @McpSampling(${JSON.stringify(client)}) to a provider`,
        ...members.map((member) => `set "capabilities" of the client to { sampling: { ${member}: {} } }`),
      ];
    case 'roots':
      return [`to list folders, add a method with @McpRoots(${JSON.stringify(client)}) to a provider`];
    case 'extensions':
      return members.map((id) =>
        id === TASKS_EXTENSION
          ? 'to run the call as a task, leave out "tasks: false" of the client'
          : `to use the extension ${JSON.stringify(id)}, set it in "capabilities.extensions" of the client`,
      );
    default:
      return [`set "capabilities.${name}" of the client`];
  }
}
