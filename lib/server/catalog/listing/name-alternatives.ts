import type { Alternative } from './alternative.js';
import type { Discriminator } from './find-discriminator.js';

const MOST_VALUES = 12;
const LONGEST_VALUE = 60;

/** Says when some of the alternatives apply, as the end of a sentence that begins with "Only". */
export type SayWhen = (chosen: ReadonlySet<Alternative>) => string;

/**
 * Finds names for alternatives: the value of the member that distinguishes them, or a member that only one of them has.
 * Otherwise they get numbers, which the description of the whole explains.
 */
export function createSayWhen(
  alternatives: readonly Alternative[],
  discriminator: Discriminator | undefined,
): SayWhen {
  if (discriminator !== undefined) {
    const { name, values } = discriminator;
    return (chosen) => {
      const named = values.filter((_, at) => chosen.has(alternatives[at] as Alternative)).flat();
      return `if ${quote(name)} is ${joinWords(named.map(show))}`;
    };
  }
  const marks = alternatives.map((one) => findMark(one, alternatives));
  return (chosen) => {
    const picked = alternatives.flatMap((one, at) =>
      chosen.has(one) ? [marks[at] ?? `alternative ${at + 1}`] : [],
    );
    return `with ${joinWords(picked)}`;
  };
}

/** Describes the members of each alternative, for readers who find no single member that distinguishes them. */
export function describeAlternatives(alternatives: readonly Alternative[]): string {
  const common = [...(alternatives[0]?.required ?? [])].filter((name) =>
    alternatives.every(({ required }) => required.has(name)),
  );
  const told = alternatives.map((one, at) => `(${at + 1}) ${describe(one, common)}`);
  return `Give the members of one alternative: ${told.join('; ')}.`;
}

/** Quotes the words that authors have for alternatives, by the values that choose them. */
export function describeValues(alternatives: readonly Alternative[], { values }: Discriminator): string {
  const told = alternatives.flatMap(({ texts }, at) =>
    texts.length === 0 ? [] : [`${joinWords((values[at] ?? []).map(show))}: ${endSentence(texts.join(' '))}`],
  );
  return told.join(' ');
}

/** Ends a text as a sentence. */
export function endSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`;
}

function describe({ required, members, texts }: Alternative, common: readonly string[]): string {
  const needed = [...required].filter((name) => !common.includes(name));
  const optional = [...members.keys()].filter((name) => !required.has(name));
  const parts = [
    needed.length === 0 ? 'nothing more' : needed.map(quote).join(' and '),
    ...(optional.length === 0 || optional.length > MOST_VALUES
      ? []
      : [`optional ${optional.map(quote).join(', ')}`]),
  ];
  const text = texts.join(' ').replace(/[.\s]+$/, '');
  return text === '' ? parts.join(', ') : `${parts.join(', ')}: ${text}`;
}

/** Finds a member that an alternative requires and no other one has. */
function findMark(one: Alternative, alternatives: readonly Alternative[]): string | undefined {
  const others = alternatives.filter((other) => other !== one);
  const name = [...one.required].find(
    (required) => !others.some(({ members, required: theirs }) => isKnown(required, members, theirs, one)),
  );
  return name && quote(name);
}

/** A member of the whole schema is in each alternative. Then it counts which alternative requires it. */
function isKnown(
  name: string,
  members: Alternative['members'],
  required: ReadonlySet<string>,
  one: Alternative,
): boolean {
  return required.has(name) || (members.has(name) && members.get(name) !== one.members.get(name));
}

function joinWords(words: readonly string[]): string {
  const shown = words.slice(0, MOST_VALUES);
  if (words.length > MOST_VALUES) shown.push(`${words.length - MOST_VALUES} others`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
