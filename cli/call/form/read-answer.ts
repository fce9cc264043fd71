import { type Reading, readNumber } from '../read-number.js';
import type { Choice, FormField } from './form-field.js';

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', (text) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['uri', (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text)],
  ['date', isDate],
  ['date-time', isDateTime],
]);

/** Returns whether a string has a format. Unknown formats are left to the server. */
function isOfFormat(text: string, format: string): boolean {
  return FORMATS.get(format)?.(text) ?? true;
}

function isDateTime(text: string): boolean {
  const [, date = ''] =
    /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  return isDate(date) && !Number.isNaN(Date.parse(text));
}

/** Returns whether a date exists, because `Date.parse()` accepts the 31st of any month. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Reads the input for a field. An empty line means the proposed value, or no value if the field is optional. */
export function readAnswer(field: FormField, line: string): Reading {
  const text = line.trim();
  if (text !== '') return READERS[field.kind](text, field);
  if (field.proposal !== undefined) return { value: field.proposal };
  if (!field.isRequired) return { value: undefined };
  if (field.kind === 'choices') return readChoices('', field);
  return { expected: 'a value: the field is required' };
}

const READERS: { readonly [kind in FormField['kind']]: (text: string, field: FormField) => Reading } = {
  text: readText,
  number: (text, field) => readAmount(text, field, 'a number'),
  integer: (text, field) => readAmount(text, field, 'a whole number'),
  boolean: readBoolean,
  choice: readChoice,
  choices: readChoices,
};

function readText(text: string, { limits }: FormField): Reading {
  const { minLength, maxLength, format } = limits;
  const { length } = [...text];
  if (typeof minLength === 'number' && length < minLength)
    return { expected: `${minLength} characters or more` };
  if (typeof maxLength === 'number' && length > maxLength)
    return { expected: `${maxLength} characters or fewer` };
  if (typeof format === 'string' && !isOfFormat(text, format))
    return { expected: DESCRIPTIONS[format] ?? format };
  return { value: text };
}

const DESCRIPTIONS: { readonly [format: string]: string } = {
  email: 'an e-mail address',
  uri: 'a URL',
  date: 'a date such as 2026-07-28',
  'date-time': 'a time such as 2026-07-28T12:00:00Z',
};

function readAmount(text: string, { kind, limits }: FormField, expected: string): Reading {
  const value = readNumber(text);
  if (value === undefined || (kind === 'integer' && !Number.isInteger(value))) return { expected };
  const { minimum, maximum } = limits;
  if (typeof minimum === 'number' && value < minimum) return { expected: `${minimum} or more` };
  if (typeof maximum === 'number' && value > maximum) return { expected: `${maximum} or less` };
  return { value };
}

function readBoolean(text: string): Reading {
  if (/^(y|yes|true)$/i.test(text)) return { value: true };
  if (/^(n|no|false)$/i.test(text)) return { value: false };
  return { expected: '"yes" or "no"' };
}

function readChoice(text: string, { choices }: FormField): Reading {
  const chosen = findChoice(text, choices);
  if (chosen !== undefined) return { value: chosen.value };
  return { expected: `a number from 1 to ${choices.length}, or one of the names` };
}

function readChoices(text: string, field: FormField): Reading {
  const { choices, limits } = field;
  const texts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const chosen = texts.map((part) => findChoice(part, choices)?.value);
  if (chosen.includes(undefined)) {
    return { expected: `numbers from 1 to ${choices.length}, or names, separated by commas` };
  }
  const value = [...new Set(chosen)];
  const { minItems, maxItems } = limits;
  if (typeof minItems === 'number' && value.length < minItems)
    return { expected: `${minItems} or more of them` };
  if (typeof maxItems === 'number' && value.length > maxItems)
    return { expected: `${maxItems} or fewer of them` };
  return { value };
}

/** Finds a choice by its value, title or number, in this order, because a value may look like a number. */
function findChoice(text: string, choices: readonly Choice[]): Choice | undefined {
  const wanted = text.toLowerCase();
  return (
    choices.find(({ value }) => value === text) ??
    choices.find(({ value, title }) => [value, title].some((name) => name.toLowerCase() === wanted)) ??
    (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  );
}
