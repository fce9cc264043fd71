import type { Question } from '../context/question.interface.js';
import type { ClientCapabilities } from '../protocol/capabilities.js';
import type { ClientRequest } from '../protocol/client-requests.js';
import { declaresForms } from './elicitation.question.js';

/** Takes a request as a handler wrote it: its parameters and its answer pass as they are. */
export function buildRawQuestion({ method, params }: ClientRequest): Question<unknown> {
  const requirement = findNeed({ method, params });
  return {
    method,
    options: {},
    ...requirement,
    buildParams: () => params,
    parseAnswer: (result) => result,
  };
}

type Need = Pick<Question<unknown>, 'requires' | 'isDeclared'>;

function findNeed({ method, params }: ClientRequest): Need {
  if (method === 'roots/list') return need({ roots: {} }, ({ roots }) => roots !== undefined);
  if (method === 'sampling/createMessage') {
    return need({ sampling: {} }, ({ sampling }) => sampling !== undefined);
  }
  return params['mode'] === 'url'
    ? need({ elicitation: { url: {} } }, ({ elicitation }) => elicitation?.url !== undefined)
    : need({ elicitation: { form: {} } }, declaresForms);
}

function need(requires: ClientCapabilities, isDeclared: (capabilities: ClientCapabilities) => boolean): Need {
  return { requires, isDeclared };
}
