import { McpError } from '../../core/protocol/mcp.error.js';
import type { Question } from '../context/input-request.interface.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import { ToolError } from '../context/tool-errors.js';

/**
 * Checks that the revision has all parts of a question, and that the client declared the needed capability.
 *
 * @throws {McpError} -32021 on the stateless wire
 * @throws {ToolError} in a session
 */
export function assertAskable(question: Question<unknown>, context: InputRequestContext): void {
  const { revision } = context;
  const gap = question.findGap?.(revision);
  if (gap !== undefined) throw new ToolError(`The client speaks ${revision.version}, which has no ${gap}`);
  assertDeclared(question, context);
}

/**
 * Checks that the client declared what a question needs.
 *
 * @throws {McpError} -32021 on the stateless wire
 * @throws {ToolError} in a session
 */
export function assertDeclared(question: Question<unknown>, { client, revision }: InputRequestContext): void {
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
