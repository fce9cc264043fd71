import type { QuestionBuilders } from '../../context/input-request.interface.js';
import { buildRawQuestion } from './client-request.question.js';
import { elicitation, urlElicitation } from './elicitation.question.js';
import { listRoots } from './roots.question.js';
import { sampling } from './sampling.question.js';

/** The questions that a context offers by methods of its own. */
export const QUESTION_BUILDERS: QuestionBuilders = {
  elicitation,
  urlElicitation,
  sampling,
  listRoots,
  raw: buildRawQuestion,
};
