import { randomUUID } from 'node:crypto';
import type { ClientCapabilities, OpenObject } from '../../../core/protocol/capabilities.js';
import type { ClientRequest } from '../../../core/protocol/client-requests.js';
import {
  encodeRequestParams,
  findRequestGap,
} from '../../../core/protocol/encoding/encode-client-request.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { Question } from '../../context/question.interface.js';
import { declaresForms } from './elicitation.question.js';

/**
 * Takes a request as a handler wrote it: its parameters pass as far as the revision has them, its answer as it is.
 *
 * @throws {TypeError} if clients have no such method
 */
export function buildRawQuestion(request: ClientRequest): Question<unknown> {
  const { method, params = {} } = request;
  return {
    method,
    options: {},
    ...findNeed(method, params),
    findGap: (revision) => findRequestGap(request, revision),
    buildParams: (revision) => completeParams(encodeRequestParams(request, revision), revision),
    parseAnswer: (result) => result,
  };
}

type Need = Pick<Question<unknown>, 'requires' | 'isDeclared'>;

function findNeed(method: string, params: OpenObject): Need {
  if (method === 'roots/list') return need({ roots: {} }, ({ roots }) => roots !== undefined);
  if (method === 'sampling/createMessage') return findSamplingNeed(params);
  if (method !== 'elicitation/create') throw new TypeError(`Clients have no method "${method}" to ask with`);
  return params['mode'] === 'url'
    ? need({ elicitation: { url: {} } }, ({ elicitation }) => elicitation?.url !== undefined)
    : need({ elicitation: { form: {} } }, declaresForms);
}

function findSamplingNeed({ tools, toolChoice }: OpenObject): Need {
  return tools === undefined && toolChoice === undefined
    ? need({ sampling: {} }, ({ sampling }) => sampling !== undefined)
    : need({ sampling: { tools: {} } }, ({ sampling }) => sampling?.tools !== undefined);
}

function need(requires: ClientCapabilities, isDeclared: (capabilities: ClientCapabilities) => boolean): Need {
  return { requires, isDeclared };
}

/** A handler that is written for all revisions names no interaction, where some need a name. */
function completeParams(params: OpenObject, { defines }: Revision): OpenObject {
  const needsId = params['mode'] === 'url' && defines.elicitationId;
  return needsId ? { elicitationId: randomUUID(), ...params } : params;
}
