import type { ClassConstructor, TransformFnParams } from 'class-transformer';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass, ValidationIssue } from '../compiled-schema.interface.js';
import { describeValue } from '../describe-value.js';
import type { DtoLibraries } from './dto-libraries.js';

/** A value on its way to an instance. */
interface Place {
  readonly path: readonly string[];
  readonly libraries: DtoLibraries;
}

/**
 * Finds the property whose `@Transform()` threw, by having each transform its value again. The library says only what was
 * thrown. Returns `undefined` if no transform throws now.
 */
export function findTransformIssue(
  target: DtoClass,
  given: unknown,
  libraries: DtoLibraries,
): ValidationIssue | undefined {
  return walk(target, given, { path: [], libraries });
}

function walk(target: DtoClass, given: unknown, place: Place): ValidationIssue | undefined {
  if (Array.isArray(given)) {
    return findFirst(given.entries(), ([at, item]) => walk(target, item, descend(place, String(at))));
  }
  if (!isObject(given)) return undefined;
  return findFirst(Object.keys(given), (name) => judge(target, { given, name }, descend(place, name)));
}

function judge(
  target: DtoClass,
  { given, name }: { readonly given: Readonly<Record<string, unknown>>; readonly name: string },
  place: Place,
): ValidationIssue | undefined {
  const { transformations, transformer } = place.libraries;
  const key = transformations.findExposeMetadataByCustomName(target, name)?.propertyName ?? name;
  const type = transformations
    .findTypeMetadata(target, key)
    ?.typeFunction({ newObject: {}, object: given, property: key }) as DtoClass | undefined;
  const inner = type === undefined ? undefined : walk(type, given[name], place);
  if (inner !== undefined) return inner;
  const { PLAIN_TO_CLASS } = transformer.TransformationType;
  const transforms = transformations.findTransformMetadatas(target, key, PLAIN_TO_CLASS);
  if (transforms.length === 0) return undefined;
  try {
    const options = { exposeDefaultValues: true };
    const start: unknown =
      type === undefined
        ? given[name]
        : transformer.plainToInstance(type as ClassConstructor<object>, given[name], options);
    transforms.reduce((value, { transformFn }) => {
      const params: TransformFnParams = { value, key, obj: given, type: PLAIN_TO_CLASS, options };
      return transformFn(params) as unknown;
    }, start);
    return undefined;
  } catch (thrown) {
    return { path: place.path.join('.'), message: formatRefused(thrown, given[name]) };
  }
}

/** Says what was thrown only if it is about the value, or meant for callers. */
function formatRefused(thrown: unknown, value: unknown): string {
  const said = isMeantForCallers(thrown) ? `: ${thrown.message}` : '';
  return `cannot be converted${said}, received ${describeValue(value)}`;
}

function isMeantForCallers(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const status: unknown =
    'getStatus' in thrown && typeof thrown.getStatus === 'function' ? thrown.getStatus() : 500;
  return thrown instanceof SyntaxError || thrown.name === 'ToolError' || Number(status) < 500;
}

function descend({ path, libraries }: Place, name: string): Place {
  return { path: [...path, name], libraries };
}

function findFirst<Item>(
  items: Iterable<Item>,
  judgeItem: (item: Item) => ValidationIssue | undefined,
): ValidationIssue | undefined {
  for (const item of items) {
    const issue = judgeItem(item);
    if (issue !== undefined) return issue;
  }
  return undefined;
}
