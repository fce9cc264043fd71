import { isObject } from '../../../core/protocol/json-rpc.js';

/** The metadata of `@Field()` on a property, or of `@Args()` on a parameter. */
export interface GraphqlMember {
  /** The name of the property or argument; absent if the parameter receives all arguments. */
  readonly name?: string;
  readonly description?: string | undefined;
  /** Must be called before the options are read, because it detects whether the type is a list. */
  readonly typeFn?: () => unknown;
  readonly options?: GraphqlTypeOptions;
}

export interface GraphqlTypeOptions {
  readonly nullable?: boolean | 'items' | 'itemsAndList';
  readonly defaultValue?: unknown;
  readonly isArray?: boolean;
  readonly arrayDepth?: number;
}

interface Operation {
  readonly target: object;
  readonly methodName: string;
  readonly description?: string;
}

interface TargetMetadata {
  readonly fields: { getAll(): readonly GraphqlMember[] };
  readonly params: { getByName(name: string): readonly GraphqlMember[] | undefined };
  readonly inputType?: { readonly description?: string };
}

/** The decorator metadata that `@nestjs/graphql` has loaded. */
interface TypeStorage {
  getQueriesMetadata(): readonly Operation[];
  getMutationsMetadata(): readonly Operation[];
  getSubscriptionsMetadata(): readonly Operation[];
  readonly metadataByTargetCollection: { get(target: object): TargetMetadata };
}

/** The decorators' unread metadata. Each entry is read once. */
interface LazyStorage {
  readonly lazyMetadataByTarget: ReadonlyMap<unknown, unknown>;
  load(types: readonly object[]): void;
}

/** The package stores both in the global object, so they can be read without loading it. */
const storages = globalThis as {
  readonly GqlTypeMetadataStorage?: TypeStorage;
  readonly GqlLazyMetadataStorageHost?: LazyStorage;
};

/**
 * Makes graphql read the classes' decorators, as it does itself when it builds its schema. All classes are passed in
 * the application's order, because the schema would otherwise list queries in a different order.
 */
export function loadGraphqlMetadata(classes: readonly object[]): void {
  try {
    storages.GqlLazyMetadataStorageHost?.load(classes);
  } catch {
    // Without types, as in applications with a handwritten schema, each decorator fails.
  }
}

/** Finds the description of a query, a mutation or a subscription. */
export function findOperationDescription(classRef: object, methodName: string): string | undefined {
  const storage = storages.GqlTypeMetadataStorage;
  if (storage === undefined) return undefined;
  const operations = [
    ...storage.getQueriesMetadata(),
    ...storage.getMutationsMetadata(),
    ...storage.getSubscriptionsMetadata(),
  ];
  return operations.find((one) => isSame(one, classRef, methodName))?.description;
}

/** Finds the `@Args()` on a method's parameters. */
export function findGraphqlArguments(classRef: object, methodName: string): readonly GraphqlMember[] {
  return findTarget(classRef)?.params.getByName(methodName) ?? [];
}

/** Finds the `@Field()` on a class's properties. Subclasses override base classes. */
export function findGraphqlFields(target: unknown): ReadonlyMap<string, GraphqlMember> {
  if (typeof target !== 'function' || target === Function.prototype) return new Map();
  const inherited = findGraphqlFields(Object.getPrototypeOf(target));
  const own = (findTarget(target)?.fields.getAll() ?? []).map((field): [string, GraphqlMember] => [
    field.name ?? '',
    field,
  ]);
  return new Map([...inherited, ...own]);
}

/** Finds the description of an `@InputType()`. */
export function findInputTypeDescription(target: object): string | undefined {
  return findTarget(target)?.inputType?.description;
}

/** Looking up a class that has no decorators would create an entry for it. */
function findTarget(target: object): TargetMetadata | undefined {
  const lazy = storages.GqlLazyMetadataStorageHost;
  if (lazy?.lazyMetadataByTarget.has(target) !== true) return undefined;
  loadGraphqlMetadata([target]);
  const found: unknown = storages.GqlTypeMetadataStorage?.metadataByTargetCollection.get(target);
  return isObject(found) ? (found as unknown as TargetMetadata) : undefined;
}

function isSame({ target, methodName: name }: Operation, classRef: object, methodName: string): boolean {
  return target === classRef && name === methodName;
}
