import type { ClientCapabilities } from '../../../core/protocol/capabilities.js';
import type { Question } from '../../context/input-request.interface.js';

/** What a client must have declared to be asked. */
export type QuestionNeed = Pick<Question<unknown>, 'requires' | 'isDeclared'>;

/** What a form needs. An empty declaration means that the client shows forms (MCP 2025-11-25 client/elicitation, "Capabilities"). */
export const FORM_NEED: QuestionNeed = {
  requires: { elicitation: { form: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) =>
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
};

/** What a page for the user needs. */
export const PAGE_NEED: QuestionNeed = {
  requires: { elicitation: { url: {} } },
  isDeclared: ({ elicitation }: ClientCapabilities) => elicitation?.url !== undefined,
};

/** What the question for roots needs. */
export const ROOTS_NEED: QuestionNeed = {
  requires: { roots: {} },
  isDeclared: ({ roots }: ClientCapabilities) => roots !== undefined,
};

const TEXT_NEED: QuestionNeed = {
  requires: { sampling: {} },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling !== undefined,
};

const TOOLS_NEED: QuestionNeed = {
  requires: { sampling: { tools: {} } },
  isDeclared: ({ sampling }: ClientCapabilities) => sampling?.tools !== undefined,
};

interface SamplingParts {
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
}

/** Finds what a question to the client's model needs: more if the model is to use tools. */
export function findSamplingNeed({ tools, toolChoice }: SamplingParts): QuestionNeed {
  return tools === undefined && toolChoice === undefined ? TEXT_NEED : TOOLS_NEED;
}
