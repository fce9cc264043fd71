import { isObject } from '../../protocol/json-rpc.js';
import type { LintProblem, LintRule } from '../lint-rule.js';
import { isVague, repeats } from '../meaning.js';
import type { ReadCatalog, ReadParameter, ReadTool } from '../read-catalog.js';
import { show } from '../show.js';

/** With more arguments, models start to omit or confuse some. */
const MOST_PARAMETERS = 20;

/** The nesting that models still fill in well, and that APIs with strict schemas accept. */
const DEEPEST = 5;

/** Names that describe a value's type instead of its meaning. */
const EMPTY_NAME =
  /^(?:arg|args|argument|data|foo|input|obj|object|param|params|payload|str|string|tmp|val|value|var)s?[_-]?\d*$/i;

/** The number of a parameter's values to check. */
const MOST_VALUES = 100;

/** Coordinates are commonly known by one letter. */
const ONE_LETTER = /^[a-wA-W]$/;

/** A tool's arguments, as described to a model. */
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

function* findUndescribed(catalog: ReadCatalog): Generator<LintProblem> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { path, description, schema } = parameter;
    if (description.trim() !== '' || 'const' in schema) continue;
    yield {
      subject,
      path,
      found: 'has a parameter without a description',
      fix: 'Describe its meaning, its format and unit, and its default',
    };
  }
}

function* findRepeated(catalog: ReadCatalog): Generator<LintProblem> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { path, description, name } = parameter;
    if (description.trim() === '' || !(repeats(description, name) || isVague(description, 1))) continue;
    yield {
      subject,
      path,
      found: 'has a parameter whose description only repeats its name',
      fix: 'Describe what the name does not show: the source of the value, its format and its unit',
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

function* findUntyped(catalog: ReadCatalog): Generator<LintProblem> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { path, schema } = parameter;
    if (!TYPING.some((keyword) => keyword in schema)) {
      yield {
        subject,
        path,
        found: 'has a parameter without a type',
        fix: 'Give it a "type": without one, models may write anything',
      };
    } else if (schema['type'] === 'object' && !MEMBERS.some((keyword) => keyword in schema)) {
      yield {
        subject,
        path,
        found: 'has an object parameter without listed properties',
        fix: 'List them under "properties", or describe its values under "additionalProperties"',
      };
    }
  }
}

function* findEmptyNames(catalog: ReadCatalog): Generator<LintProblem> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { name, path } = parameter;
    if (!EMPTY_NAME.test(name) && !ONE_LETTER.test(name)) continue;
    yield {
      subject,
      path,
      found: 'has a parameter whose name is not meaningful',
      fix: 'Name its content, such as "ticket_text" rather than "data" or "value"',
    };
  }
}

function* findMeaningless(catalog: ReadCatalog): Generator<LintProblem> {
  for (const { subject, parameter } of eachParameter(catalog)) {
    const { path, description } = parameter;
    const opaque = listValues(parameter).filter((value) => isOpaque(value) && !mentions(description, value));
    if (opaque.length === 0) continue;
    yield {
      subject,
      path,
      found: `has a parameter with unexplained values: ${opaque.slice(0, 3).map(showValue).join(', ')}`,
      fix: 'Use words as values, or explain each value in the description',
    };
  }
}

function listValues({ schema }: ReadParameter): readonly unknown[] {
  const { items } = schema;
  const values = schema['enum'] ?? (isObject(items) ? items['enum'] : undefined);
  return Array.isArray(values) ? values.slice(0, MOST_VALUES) : [];
}

/** Numbers and abbreviations are meaningful only to their authors. */
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

function* findCrowded({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const tool of tools) {
    const count = tool.parameters.filter(({ depth }) => depth === 1).length;
    if (count <= MOST_PARAMETERS) continue;
    yield {
      subject: tool.subject,
      found: `has ${count} parameters: models reliably fill in up to ${MOST_PARAMETERS}`,
      fix: 'Split the tool, leave out parameters with good defaults, or group related ones into one object',
    };
  }
}

function* findDeep({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const tool of tools) {
    const deepest = findDeepest(tool);
    if (tool.tokens !== undefined && (deepest?.depth ?? 0) <= DEEPEST) continue;
    yield {
      subject: tool.subject,
      path: deepest?.path ?? '',
      found: `nests objects more than ${DEEPEST} deep`,
      fix: 'Flatten inner objects into the outer ones: models make mistakes in deep structures, and some APIs refuse them',
    };
  }
}

function findDeepest({ parameters }: ReadTool): ReadParameter | undefined {
  return parameters.reduce<ReadParameter | undefined>(
    (deepest, one) => (deepest === undefined || one.depth > deepest.depth ? one : deepest),
    undefined,
  );
}

function* findArguments({ prompts }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, listed } of prompts) {
    const given: readonly unknown[] = Array.isArray(listed['arguments']) ? listed['arguments'] : [];
    for (const one of given.filter(isObject)) {
      const { name, description } = one;
      if (typeof description === 'string' && description.trim() !== '') continue;
      yield {
        subject,
        path: show(name),
        found: 'has an argument without a description',
        fix: 'Describe what to enter: hosts show it to the person who fills it in',
      };
    }
  }
}
