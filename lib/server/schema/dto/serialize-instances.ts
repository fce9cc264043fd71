import { isObject } from '../../../core/protocol/json-rpc.js';
import { findTransformation, type Transformation } from './dto-libraries.js';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import type { ExcludeMetadata } from 'class-transformer/types/interfaces/metadata/exclude-metadata.interface.js';
import type { ExposeMetadata } from 'class-transformer/types/interfaces/metadata/expose-metadata.interface.js';
import type { TransformMetadata } from 'class-transformer/types/interfaces/metadata/transform-metadata.interface.js';
import type { TypeMetadata } from 'class-transformer/types/interfaces/metadata/type-metadata.interface.js';

type Members = { readonly [name: string]: unknown };

let loaded: InstanceSerializer | 'absent' | undefined;

/**
 * Loads class-transformer if it is installed.
 *
 * @throws {TypeError} if the installed version stores its metadata elsewhere
 */
export function loadSerializer(): void {
  loaded ??= createSerializer() ?? 'absent';
}

/**
 * Converts the instances in a value to plain objects, at any depth, if their classes hide properties with
 * `@Exclude()`, `@Expose({ groups })` or `@Transform()`. Everything else stays the same object. A value that the
 * application's serializer has processed contains no such instances.
 */
export function serializeInstances(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  loadSerializer();
  return loaded instanceof InstanceSerializer ? loaded.serialize(value) : value;
}

function createSerializer(): InstanceSerializer | undefined {
  const found = findTransformation();
  return found && new InstanceSerializer(found);
}

/** Converts instances to plain objects if their classes hide something. */
export class InstanceSerializer {
  readonly #hiding: HidingClasses;

  constructor(private readonly transformation: Transformation) {
    this.#hiding = new HidingClasses(transformation.transformations);
  }

  serialize(value: unknown): unknown {
    return this.#hiding.isAny ? this.#visit(value, new Map()) : value;
  }

  /**
   * Visits each object once. Circular references are left unchanged, because JSON serialization rejects them anyway.
   */
  #visit(value: unknown, visited: Map<object, unknown>): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (visited.has(value)) return visited.get(value);
    visited.set(value, value);
    const shown = Array.isArray(value) ? this.#visitList(value, visited) : this.#visitObject(value, visited);
    visited.set(value, shown);
    return shown;
  }

  #visitList(list: readonly unknown[], visited: Map<object, unknown>): readonly unknown[] {
    const shown = list.map((member) => this.#visit(member, visited));
    return shown.some((member, index) => member !== list[index]) ? shown : list;
  }

  #visitObject(value: object, visited: Map<object, unknown>): unknown {
    if (value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value;
    const isHiding = this.#isHiding(value);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const json: unknown = value.toJSON('');
      if (isHiding) return intersect(json, this.#toPlain(value));
      // The object is reused instead of calling `toJSON()` twice. Strings are left to JSON.
      return isObject(json) || Array.isArray(json) ? this.#visit(json, visited) : value;
    }
    if (isHiding) return this.#toPlain(value);
    // JSON ignores the content of these, and a stream has many properties.
    const isIterable = Symbol.iterator in value || Symbol.asyncIterator in value;
    return isIterable ? value : this.#visitMembers(value as Members, visited);
  }

  #visitMembers(value: Members, visited: Map<object, unknown>): Members {
    const shown = Object.entries(value).map(
      ([name, member]) => [name, this.#visit(member, visited)] as const,
    );
    // A getter may return a different object on each access, so the object that was read is used.
    return shown.some(([name, member]) => member !== value[name]) ? Object.fromEntries(shown) : value;
  }

  #isHiding(value: object): boolean {
    const prototype = Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null;
    if (prototype === null || prototype === Object.prototype) return false;
    return typeof prototype.constructor === 'function' && this.#hiding.has(prototype.constructor);
  }

  #toPlain(value: object): unknown {
    return this.transformation.transformer.instanceToPlain(value, { enableCircularCheck: true });
  }
}

/** A class that controls its own JSON form hides both what it omits and what class-transformer hides. */
function intersect(json: unknown, plain: unknown): unknown {
  if (Array.isArray(json) && Array.isArray(plain)) {
    return json.map((member, index) => intersect(member, plain[index]));
  }
  if (!isObject(json) || !isObject(plain)) return json;
  const common = Object.entries(json).filter(([name]) => Object.hasOwn(plain, name));
  return Object.fromEntries(common.map(([name, member]) => [name, intersect(member, plain[name])]));
}

/** A class, in the form that class-transformer's metadata uses. */
type Target = object;

type Stored<Metadata> = ReadonlyMap<Target, ReadonlyMap<string | undefined, Metadata>>;

/** The directions in which a class-transformer decorator applies. */
interface Directions {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

/**
 * Finds the classes whose instances have fewer visible properties once class-transformer has converted them to plain
 * objects.
 */
export class HidingClasses {
  readonly #known = new WeakMap<Target, boolean>();
  readonly #stored;
  #classes = -1;
  #isAny = false;

  constructor(transformations: MetadataStorage) {
    this.#stored = {
      excluded: transformations['_excludeMetadatas'] as Stored<ExcludeMetadata>,
      exposed: transformations['_exposeMetadatas'] as Stored<ExposeMetadata>,
      transformed: transformations['_transformMetadatas'] as Stored<readonly TransformMetadata[]>,
      typed: transformations['_typeMetadatas'] as Stored<TypeMetadata>,
    };
  }

  /** Whether there is any such class. Modules may be loaded, and decorate their classes, after the start. */
  get isAny(): boolean {
    const { excluded, exposed, transformed } = this.#stored;
    const classes = excluded.size + exposed.size + transformed.size;
    if (classes === this.#classes) return this.#isAny;
    this.#classes = classes;
    const targets = [...excluded.keys(), ...exposed.keys(), ...transformed.keys()];
    this.#isAny = targets.some((target) => this.#hidesItself(target));
    return this.#isAny;
  }

  /**
   * Returns whether a class's instances hide something, including in properties whose class is set with `@Type()`.
   */
  has(target: Target): boolean {
    const known = this.#known.get(target);
    if (known !== undefined) return known;
    const hides = this.#findReachable(target).some((reachable) => this.#hidesItself(reachable));
    this.#known.set(target, hides);
    return hides;
  }

  #hidesItself(target: Target): boolean {
    const { excluded, exposed, transformed } = this.#stored;
    return (
      listStored(excluded, target).some(({ options }) => isForPlain(options)) ||
      // If no groups are selected, a property that belongs to a group is hidden.
      listStored(exposed, target).some(({ options }) => (options.groups ?? []).length > 0) ||
      listStored(transformed, target)
        .flat()
        .some(({ options }) => options.toPlainOnly === true)
    );
  }

  /** Finds the class, its base classes, and its properties' classes. */
  #findReachable(target: Target): readonly Target[] {
    const reached = new Set<Target>([target]);
    // Classes that are added during the loop are visited too.
    for (const one of reached) {
      const parent = Object.getPrototypeOf(one) as Target | null;
      if (parent !== null) reached.add(parent);
      for (const typed of listStored(this.#stored.typed, one)) {
        for (const type of readTypes(typed)) reached.add(type);
      }
    }
    return [...reached];
  }
}

function listStored<Metadata>(stored: Stored<Metadata>, target: Target): readonly Metadata[] {
  return [...(stored.get(target)?.values() ?? [])];
}

/** If each direction is requested exclusively, class-transformer applies the decorator in both. */
function isForPlain({ toClassOnly, toPlainOnly }: Directions = {}): boolean {
  return toClassOnly !== true || toPlainOnly === true;
}

function readTypes(typed: TypeMetadata): readonly Target[] {
  const subTypes = typed.options.discriminator?.subTypes.map(({ value }) => value as unknown) ?? [];
  return [readType(typed), ...subTypes].filter((type) => typeof type === 'function');
}

/** A type may depend on the object that contains it, which does not exist yet. */
function readType({ typeFunction, reflectedType, propertyName: property }: TypeMetadata): unknown {
  const find: TypeMetadata['typeFunction'] | undefined = typeFunction;
  try {
    return find === undefined ? reflectedType : find({ newObject: {}, object: {}, property });
  } catch {
    return undefined;
  }
}
