import { randomUUID } from 'node:crypto';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { InputRequiredResult } from '../../core/protocol/input-required.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequiredElicitation } from '../../core/protocol/required-elicitations.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool.error.js';
import { assertAskable } from './missing-capability.js';
import { urlElicitation } from './questions/elicitation.question.js';
import type { RequiredPage, UrlElicitationRequiredError } from './url-elicitation-required.error.js';

/**
 * Returns the result of a call that sends its user to pages, if the revision has such a result.
 *
 * @throws {McpError} -32042 if the revision has it as an error; -32021 on the stateless wire if the client did not declare `elicitation.url`
 * @throws {ToolError} in a session if it did not, or the revision has no pages, and wherever the user does not want to go there
 */
export function requirePages(
  error: UrlElicitationRequiredError,
  context: RequestContext,
): InputRequiredResult {
  const { pages, message } = error;
  const { revision } = context;
  for (const page of pages) assertAskable(urlElicitation(page), context);
  if (revision.defines.elicitationId) {
    const elicitations = pages.map(describePage);
    throw new McpError(ErrorCode.UrlElicitationRequired, message, { elicitations });
  }
  const { inputResponses } = context;
  const keyed = pages.map((page, index) => [`page-${index + 1}`, page] as const);
  if (keyed.some(([key]) => isRefused(inputResponses[key])))
    throw new ToolError(`${message}, and the user declined to open the page`);
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      keyed.map(([key, page]) => [
        key,
        { method: 'elicitation/create', params: { mode: 'url', message: page.message, url: page.url } },
      ]),
    ),
  };
}

function describePage({ url, message, elicitationId = randomUUID() }: RequiredPage): RequiredElicitation {
  return { mode: 'url', elicitationId, url, message };
}

/** A user who accepts may not have finished yet. A user who does not accept is not asked again. */
function isRefused(answer: unknown): boolean {
  return isObject(answer) && (answer['action'] === 'decline' || answer['action'] === 'cancel');
}
