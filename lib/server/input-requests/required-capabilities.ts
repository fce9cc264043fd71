import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { TypedInputRequest } from '../context/input-request.interface.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import { ToolError } from '../context/tool-errors.js';

/**
 * Checks that the revision has all parts of a question, and that the client declared the needed capability.
 *
 * @throws {McpError} -32021 on the stateless wire
 * @throws {ToolError} in a session
 */
export function assertSupported(question: TypedInputRequest<unknown>, context: InputRequestContext): void {
  const { revision } = context;
  const gap = question.findUnsupported?.(revision);
  if (gap !== undefined) throw new ToolError(`The client speaks ${revision.version}, which has no ${gap}`);
  assertDeclared(question, context);
}

/**
 * Checks that the client declared what a question needs.
 *
 * @throws {McpError} -32021 on the stateless wire
 * @throws {ToolError} in a session
 */
export function assertDeclared(
  question: TypedInputRequest<unknown>,
  { client, revision }: InputRequestContext,
): void {
  if (question.isDeclared(client.capabilities)) return;
  if (revision.kind === 'perRequest') throw McpError.missingCapability(question.requires);
  throw new ToolError(
    `The client did not declare the capability ${formatCapability(question.requires)}, which "${question.method}" needs`,
  );
}

/** Returns `elicitation.url` for `{ elicitation: { url: {} } }`. */
function formatCapability(capabilities: object): string {
  const [[name, inner] = ['', {}]] = Object.entries(capabilities);
  const [member] = Object.keys(inner as object);
  return member === undefined ? name : `${name}.${member}`;
}

/** What a client must have declared to be asked. */
export type CapabilityRequirement = Pick<TypedInputRequest<unknown>, 'requires' | 'isDeclared'>;

/** What a form needs. An empty declaration means that the client shows forms (MCP 2025-11-25 client/elicitation, "Capabilities"). */
export const FORM_CAPABILITY: CapabilityRequirement = {
  requires: { elicitation: { form: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) =>
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
};

/** What a page for the user needs. */
export const URL_CAPABILITY: CapabilityRequirement = {
  requires: { elicitation: { url: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) => elicitation?.url !== undefined,
};

/** What the question for roots needs. */
export const ROOTS_CAPABILITY: CapabilityRequirement = {
  requires: { roots: {} },
  isDeclared: ({ roots }: ClientCapabilities) => roots !== undefined,
};

const TEXT_NEED: CapabilityRequirement = {
  requires: { sampling: {} },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling !== undefined,
};

const TOOLS_NEED: CapabilityRequirement = {
  requires: { sampling: { tools: {} } },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling?.tools !== undefined,
};

interface SamplingParts {
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
}

/** Finds what a question to the client's model needs: more if the model is to use tools. */
export function selectSamplingCapability({ tools, toolChoice }: SamplingParts): CapabilityRequirement {
  return tools === undefined && toolChoice === undefined ? TEXT_NEED : TOOLS_NEED;
}
