import type { LintProblem, LintRule } from '../lint-rule.js';
import { isVague, repeats } from '../meaning.js';
import type { ReadCatalog, ReadItem } from '../read-catalog.js';

/** The description length that some APIs accept. */
const LONGEST_DESCRIPTION = 1_024;

/** The length of instructions that a host shows to its model. */
const LONGEST_INSTRUCTIONS = 2_048;

/** A verb and two things, such as "Lists open tickets". */
const FEWEST_WORDS = 3;

/** Descriptions, which explain to models and people what an entry is for. */
export const DESCRIPTION_RULES: readonly LintRule[] = [
  {
    id: 'tool-description',
    severity: 'error',
    find: ({ tools }) =>
      findUndescribed(
        tools,
        'Describe what it does, when to use it and what it returns: a model has nothing else to go on',
      ),
  },
  {
    id: 'prompt-description',
    severity: 'warning',
    find: ({ prompts }) =>
      findUndescribed(prompts, 'Describe its purpose: people choose it by its description'),
  },
  {
    id: 'resource-description',
    severity: 'warning',
    find: ({ resources, resourceTemplates }) =>
      findUndescribed(
        [...resources, ...resourceTemplates],
        'Describe its content: people and models choose it by its description',
      ),
  },
  { id: 'vague-description', severity: 'warning', find: findVague },
  { id: 'description-repeats-name', severity: 'warning', find: findRepeated },
  { id: 'long-description', severity: 'warning', find: findLong },
  { id: 'instructions', severity: 'advice', find: findInstructions },
];

function* findUndescribed(items: readonly ReadItem[], fix: string): Generator<LintProblem> {
  for (const { subject, description } of items)
    if (description === '') yield { subject, found: 'has no description', fix };
}

function* findVague({ items }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, name, description } of items) {
    if (description === '' || repeats(description, name) || !isVague(description, FEWEST_WORDS)) continue;
    yield {
      subject,
      found: 'has a description that is too vague to be useful',
      fix: 'Describe what it does or contains, when to use it and what it returns',
    };
  }
}

function* findRepeated({ items }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, name, description } of items) {
    if (!repeats(description, name)) continue;
    yield {
      subject,
      found: 'has a description that only repeats its name',
      fix: 'Describe what the name does not show: when to use it, what it needs and what it returns',
    };
  }
}

function* findLong({ tools, instructions = '' }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, description } of tools) {
    if (description.length <= LONGEST_DESCRIPTION) continue;
    yield {
      subject,
      found: `has a description of ${description.length} characters: some APIs refuse more than ${LONGEST_DESCRIPTION}, and hosts cut it`,
      fix: 'Move details into parameter descriptions, a resource or a prompt',
    };
  }
  if (instructions.length <= LONGEST_INSTRUCTIONS) return;
  yield {
    subject: 'server',
    found: `has instructions of ${instructions.length} characters, and hosts cut them after ${LONGEST_INSTRUCTIONS}`,
    fix: 'Put the most important part first, and move the rest into the tool descriptions',
  };
}

/** A single tool needs no instructions for combining it with others. */
function* findInstructions({ instructions, tools }: ReadCatalog): Generator<LintProblem> {
  if (instructions === undefined || tools.length < 2) return;
  if (instructions !== '' && !isVague(instructions, FEWEST_WORDS)) return;
  yield {
    subject: 'server',
    found: instructions === '' ? 'has no instructions' : 'has instructions that are too vague',
    fix: 'Describe the purpose of the server and which tools belong together: hosts use this to find tools',
  };
}
