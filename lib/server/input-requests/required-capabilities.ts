import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { TypedInputRequest } from '../context/input-request.interface.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import { ToolError } from '../context/tool-errors.js';

/**
 * Checks that the revision supports an input request, and that the client declared the required capability.
 *
 * @throws {McpError} -32021 in the stateless protocol
 * @throws {ToolError} in a session
 */
export function assertSupported(question: TypedInputRequest<unknown>, context: InputRequestContext): void {
  const { revision } = context;
  const gap = question.findUnsupported?.(revision);
  if (gap !== undefined)
    throw new ToolError(`The client uses ${revision.version}, which does not support ${gap}`);
  assertDeclared(question, context);
}

/**
 * Checks that the client declared the capability that an input request requires.
 *
 * @throws {McpError} -32021 in the stateless protocol
 * @throws {ToolError} in a session
 */
export function assertDeclared(
  question: TypedInputRequest<unknown>,
  { client, revision }: InputRequestContext,
): void {
  if (question.isDeclared(client.capabilities)) return;
  if (revision.kind === 'perRequest') throw McpError.missingCapability(question.requires);
  throw new ToolError(
    `The client did not declare the capability ${formatCapability(question.requires)}, which "${question.method}" requires`,
  );
}

/** Returns `elicitation.url` for `{ elicitation: { url: {} } }`. */
function formatCapability(capabilities: object): string {
  const [[name, inner] = ['', {}]] = Object.entries(capabilities);
  const [member] = Object.keys(inner as object);
  return member === undefined ? name : `${name}.${member}`;
}

/** The capability that an input request requires. */
export type CapabilityRequirement = Pick<TypedInputRequest<unknown>, 'requires' | 'isDeclared'>;

/** The capability for forms. An empty declaration means forms (MCP 2025-11-25 client/elicitation, "Capabilities"). */
export const FORM_CAPABILITY: CapabilityRequirement = {
  requires: { elicitation: { form: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) =>
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
};

/** The capability for URL elicitation. */
export const URL_CAPABILITY: CapabilityRequirement = {
  requires: { elicitation: { url: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) => elicitation?.url !== undefined,
};

/** The capability for roots. */
export const ROOTS_CAPABILITY: CapabilityRequirement = {
  requires: { roots: {} },
  isDeclared: ({ roots }: ClientCapabilities) => roots !== undefined,
};

const TEXT_CAPABILITY: CapabilityRequirement = {
  requires: { sampling: {} },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling !== undefined,
};

const TOOLS_CAPABILITY: CapabilityRequirement = {
  requires: { sampling: { tools: {} } },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling?.tools !== undefined,
};

interface SamplingParts {
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
}

/** Selects the capability for a sampling request, which depends on whether the model may use tools. */
export function selectSamplingCapability({ tools, toolChoice }: SamplingParts): CapabilityRequirement {
  return tools === undefined && toolChoice === undefined ? TEXT_CAPABILITY : TOOLS_CAPABILITY;
}
