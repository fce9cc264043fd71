import type { Question } from '../context/question.interface.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool.error.js';
import { McpError } from '../protocol/mcp.error.js';

/**
 * Checks that the client declared what a question needs.
 *
 * @throws {McpError} -32021 on the stateless wire
 * @throws {ToolError} in a session
 */
export function assertDeclared(question: Question<unknown>, context: RequestContext): void {
  if (question.isDeclared(context.client.capabilities)) return;
  if (context.revision.kind === 'perRequest') throw McpError.missingCapability(question.requires);
  throw new ToolError(
    `The client did not declare the capability ${formatCapability(question.requires)}, which "${question.method}" needs`,
  );
}

/** Gives `elicitation.url` for `{ elicitation: { url: {} } }`. */
function formatCapability(capabilities: object): string {
  const [[name, inner] = ['', {}]] = Object.entries(capabilities);
  const [member] = Object.keys(inner as object);
  return member === undefined ? name : `${name}.${member}`;
}
