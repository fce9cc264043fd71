import { randomUUID } from 'node:crypto';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { ClientRequest } from '../../../core/protocol/client-requests.js';
import {
  encodeRequestParams,
  findRequestGap,
} from '../../../core/protocol/encoding/encode-client-request.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { Question } from '../../context/input-request.interface.js';
import { findSamplingNeed, FORM_NEED, PAGE_NEED, ROOTS_NEED, type QuestionNeed } from './question-needs.js';

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

function findNeed(method: string, params: OpenObject): QuestionNeed {
  if (method === 'roots/list') return ROOTS_NEED;
  if (method === 'sampling/createMessage') return findSamplingNeed(params);
  if (method !== 'elicitation/create') throw new TypeError(`Clients have no method "${method}" to ask with`);
  return params['mode'] === 'url' ? PAGE_NEED : FORM_NEED;
}

/** A handler that is written for all revisions names no interaction, where some need a name. */
function completeParams(params: OpenObject, { defines }: Revision): OpenObject {
  const needsId = params['mode'] === 'url' && defines.elicitationId;
  return needsId ? { elicitationId: randomUUID(), ...params } : params;
}
