import type { LintFault, LintRule } from '../lint-rule.interface.js';
import { isVague, repeats } from '../meaning.js';
import type { ReadCatalog, ReadItem } from '../read-catalog.js';

/** What some APIs take of the description of a tool. */
const LONGEST_DESCRIPTION = 1_024;

/** What a host shows its model of the instructions. */
const LONGEST_INSTRUCTIONS = 2_048;

/** A verb and two things, such as "Lists open tickets". */
const FEWEST_WORDS = 3;

/** The text that tells models and people what an entry is for. */
export const DESCRIPTION_RULES: readonly LintRule[] = [
  {
    id: 'tool-description',
    severity: 'error',
    find: ({ tools }) =>
      findUndescribed(
        tools,
        'Say what it does, when to use it and what comes back: a model knows nothing else of it',
      ),
  },
  {
    id: 'prompt-description',
    severity: 'warning',
    find: ({ prompts }) => findUndescribed(prompts, 'Say what it is for: people choose it by that'),
  },
  {
    id: 'resource-description',
    severity: 'warning',
    find: ({ resources, resourceTemplates }) =>
      findUndescribed(
        [...resources, ...resourceTemplates],
        'Say what is in it: people and models choose it by that',
      ),
  },
  { id: 'vague-description', severity: 'warning', find: findVague },
  { id: 'description-repeats-name', severity: 'warning', find: findRepeated },
  { id: 'long-description', severity: 'warning', find: findLong },
  { id: 'instructions', severity: 'advice', find: findInstructions },
];

function* findUndescribed(items: readonly ReadItem[], fix: string): Generator<LintFault> {
  for (const { subject, description } of items)
    if (description === '') yield { subject, found: 'has no description', fix };
}

function* findVague({ items }: ReadCatalog): Generator<LintFault> {
  for (const { subject, name, description } of items) {
    if (description === '' || repeats(description, name) || !isVague(description, FEWEST_WORDS)) continue;
    yield {
      subject,
      found: 'has a description that says too little to choose it by',
      fix: 'Say what it does or holds, when to use it and what comes back',
    };
  }
}

function* findRepeated({ items }: ReadCatalog): Generator<LintFault> {
  for (const { subject, name, description } of items) {
    if (!repeats(description, name)) continue;
    yield {
      subject,
      found: 'has a description that says no more than its name',
      fix: 'Say what the name does not: when to use it, what it needs and what comes back',
    };
  }
}

function* findLong({ tools, instructions = '' }: ReadCatalog): Generator<LintFault> {
  for (const { subject, description } of tools) {
    if (description.length <= LONGEST_DESCRIPTION) continue;
    yield {
      subject,
      found: `has a description of ${description.length} characters: some APIs refuse more than ${LONGEST_DESCRIPTION}, and hosts cut it`,
      fix: 'Put the rest into the descriptions of parameters, a resource or a prompt',
    };
  }
  if (instructions.length <= LONGEST_INSTRUCTIONS) return;
  yield {
    subject: 'server',
    found: `has instructions of ${instructions.length} characters, and hosts cut them after ${LONGEST_INSTRUCTIONS}`,
    fix: 'Say first what matters, and the rest in the descriptions of the tools',
  };
}

/** One thing needs no word about how it goes together with others. */
function* findInstructions({ instructions, tools }: ReadCatalog): Generator<LintFault> {
  if (instructions === undefined || tools.length < 2) return;
  if (instructions !== '' && !isVague(instructions, FEWEST_WORDS)) return;
  yield {
    subject: 'server',
    found: instructions === '' ? 'has no instructions' : 'has instructions that say too little',
    fix: 'Say what the server is for, and which tools go together: hosts look for tools by that',
  };
}
