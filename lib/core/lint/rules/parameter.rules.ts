import { isObject } from '../../protocol/json-rpc.js';
import type { LintFault, LintRule } from '../lint-rule.interface.js';
import { isVague, repeats } from '../meaning.js';
import type { ReadCatalog, ReadTool } from '../read-catalog.js';
import type { ReadParameter } from '../read-parameters.js';
import { show } from '../show.js';

/** With more arguments, models begin to leave out or mix up some. */
const MOST_PARAMETERS = 20;

/** Objects in objects that a model still fills in well, and APIs with strict schemas take. */
const DEEPEST = 5;

/** Names that give the type of a value instead of its meaning. */
const EMPTY_NAME =
  /^(?:arg|args|argument|data|foo|input|obj|object|param|params|payload|str|string|tmp|val|value|var)s?[_-]?\d*$/i;

/** Values of a parameter that are looked at. */
const MOST_VALUES = 100;

/** Coordinates are known by one letter. */
const ONE_LETTER = /^[a-wA-W]$/;

/** What a model is told about the arguments of a tool. */
export const PARAMETER_RULES: readonly LintRule[] = [
  { id: 'parameter-description', severity: 'warning', find: findUndescribed },
  { id: 'parameter-repeats-name', severity: 'advice', find: findRepeated },
  { id: 'parameter-type', severity: 'warning', find: findUntyped },
  { id: 'parameter-name', severity: 'advice', find: findEmptyNames },
  { id: 'enum-meaning', severity: 'warning', find: findMeaningless },
  { id: 'too-many-parameters', severity: 'warning', find: findCrowded },
  { id: 'deep-nesting', severity: 'warning', find: findDeep },
  { id: 'prompt-argument-description', severity: 'warning', find: findArguments },
];

function* eachParameter({ tools }: ReadCatalog): Generator<{ subject: string; parameter: ReadParameter }> {
  for (const { subject, parameters } of tools)
    for (const parameter of parameters) yield { subject, parameter };
}

function* findUndescribed(catalog: ReadCatalog): Generator<LintFault> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { place, description, schema } = parameter;
    if (description.trim() !== '' || 'const' in schema) continue;
    yield {
      subject,
      place,
      found: 'has a parameter without a description',
      fix: 'Say what it means, its form and unit, and its default',
    };
  }
}

function* findRepeated(catalog: ReadCatalog): Generator<LintFault> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { place, description, name } = parameter;
    if (description.trim() === '' || !(repeats(description, name) || isVague(description, 1))) continue;
    yield {
      subject,
      place,
      found: 'has a parameter whose description says no more than its name',
      fix: 'Say what the name does not: where the value comes from, its form and its unit',
    };
  }
}

const TYPING = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', 'not'];
const MEMBERS = [
  'properties',
  'additionalProperties',
  'patternProperties',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
];

function* findUntyped(catalog: ReadCatalog): Generator<LintFault> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { place, schema } = parameter;
    if (!TYPING.some((keyword) => keyword in schema)) {
      yield {
        subject,
        place,
        found: 'has a parameter without a type',
        fix: 'Give it a "type": without one, models write text, or anything else',
      };
    } else if (schema['type'] === 'object' && !MEMBERS.some((keyword) => keyword in schema)) {
      yield {
        subject,
        place,
        found: 'has an object as a parameter whose members nobody lists',
        fix: 'List them under "properties", or say by "additionalProperties" what its values are',
      };
    }
  }
}

function* findEmptyNames(catalog: ReadCatalog): Generator<LintFault> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { name, place } = parameter;
    if (!EMPTY_NAME.test(name) && !ONE_LETTER.test(name)) continue;
    yield {
      subject,
      place,
      found: 'has a parameter whose name does not say what it means',
      fix: 'Name what it holds, such as "ticket_text" rather than "data" or "value"',
    };
  }
}

function* findMeaningless(catalog: ReadCatalog): Generator<LintFault> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { place, description } = parameter;
    const opaque = listValues(parameter).filter((value) => isOpaque(value) && !mentions(description, value));
    if (opaque.length === 0) continue;
    yield {
      subject,
      place,
      found: `has a parameter with values that nobody explains: ${opaque.slice(0, 3).map(showValue).join(', ')}`,
      fix: 'Use words as values, or say in the description what each of them means',
    };
  }
}

function listValues({ schema }: ReadParameter): readonly unknown[] {
  const { items } = schema;
  const values = schema['enum'] ?? (isObject(items) ? items['enum'] : undefined);
  return Array.isArray(values) ? values.slice(0, MOST_VALUES) : [];
}

/** Numbers and abbreviations are words of those who chose them. */
function isOpaque(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^(?:.|[A-Z\d]{2}|\d+)$/.test(value));
}

function mentions(description: string, value: unknown): boolean {
  const text = String(value);
  const at = description.indexOf(text);
  if (at < 0) return false;
  const around = `${description[at - 1] ?? ' '}${description[at + text.length] ?? ' '}`;
  return !/[\p{L}\p{N}]/u.test(around);
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? show(value) : String(value);
}

function* findCrowded({ tools }: ReadCatalog): Generator<LintFault> {
  for (const tool of tools) {
    const count = tool.parameters.filter(({ depth }) => depth === 1).length;
    if (count <= MOST_PARAMETERS) continue;
    yield {
      subject: tool.subject,
      found: `takes ${count} parameters: models fill in up to ${MOST_PARAMETERS} well`,
      fix: 'Make it several tools, leave out what has a good default, or put what belongs together into one object',
    };
  }
}

function* findDeep({ tools }: ReadCatalog): Generator<LintFault> {
  for (const tool of tools) {
    const deepest = findDeepest(tool);
    if (tool.tokens !== undefined && (deepest?.depth ?? 0) <= DEEPEST) continue;
    yield {
      subject: tool.subject,
      place: deepest?.place ?? '',
      found: `nests objects more than ${DEEPEST} deep`,
      fix: 'Put members of inner objects beside those of outer ones: models make mistakes there, and some APIs refuse it',
    };
  }
}

function findDeepest({ parameters }: ReadTool): ReadParameter | undefined {
  return parameters.reduce<ReadParameter | undefined>(
    (deepest, one) => (deepest === undefined || one.depth > deepest.depth ? one : deepest),
    undefined,
  );
}

function* findArguments({ prompts }: ReadCatalog): Generator<LintFault> {
  for (const { subject, listed } of prompts) {
    const given: readonly unknown[] = Array.isArray(listed['arguments']) ? listed['arguments'] : [];
    for (const one of given.filter(isObject)) {
      const { name, description } = one;
      if (typeof description === 'string' && description.trim() !== '') continue;
      yield {
        subject,
        place: show(name),
        found: 'has an argument without a description',
        fix: 'Say what to write there: hosts show it to whoever fills it in',
      };
    }
  }
}
