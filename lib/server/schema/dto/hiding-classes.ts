import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import type { ExcludeMetadata } from 'class-transformer/types/interfaces/metadata/exclude-metadata.interface.js';
import type { ExposeMetadata } from 'class-transformer/types/interfaces/metadata/expose-metadata.interface.js';
import type { TransformMetadata } from 'class-transformer/types/interfaces/metadata/transform-metadata.interface.js';
import type { TypeMetadata } from 'class-transformer/types/interfaces/metadata/type-metadata.interface.js';

/** A class, as class-transformer names it in what it stores. */
type Target = object;

type Stored<Metadata> = ReadonlyMap<Target, ReadonlyMap<string | undefined, Metadata>>;

/** The directions in which a decorator of class-transformer applies. */
interface Directions {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

/** Finds the classes whose instances show less once class-transformer has made plain objects of them. */
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

  /** Tells whether instances of a class hide something, also in members whose class `@Type()` names. */
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
      list(excluded, target).some(({ options }) => isForPlain(options)) ||
      // Without groups that are asked for, a member of a group is not shown.
      list(exposed, target).some(({ options }) => (options.groups ?? []).length > 0) ||
      list(transformed, target)
        .flat()
        .some(({ options }) => options.toPlainOnly === true)
    );
  }

  /** Finds the class, those that it extends, and those of its members. */
  #findReachable(target: Target): readonly Target[] {
    const reached = new Set<Target>([target]);
    // What is added on the way is visited too.
    for (const one of reached) {
      const parent = Object.getPrototypeOf(one) as Target | null;
      if (parent !== null) reached.add(parent);
      for (const typed of list(this.#stored.typed, one)) {
        for (const type of readTypes(typed)) reached.add(type);
      }
    }
    return [...reached];
  }
}

function list<Metadata>(stored: Stored<Metadata>, target: Target): readonly Metadata[] {
  return [...(stored.get(target)?.values() ?? [])];
}

/** If both directions are asked for alone, class-transformer applies a decorator in each. */
function isForPlain({ toClassOnly, toPlainOnly }: Directions = {}): boolean {
  return toClassOnly !== true || toPlainOnly === true;
}

function readTypes(typed: TypeMetadata): readonly Target[] {
  const subTypes = typed.options.discriminator?.subTypes.map(({ value }) => value as unknown) ?? [];
  return [readType(typed), ...subTypes].filter((type) => typeof type === 'function');
}

/** A type may depend on the object that has it, and there is none yet. */
function readType({ typeFunction, reflectedType, propertyName: property }: TypeMetadata): unknown {
  const find: TypeMetadata['typeFunction'] | undefined = typeFunction;
  try {
    return find === undefined ? reflectedType : find({ newObject: {}, object: {}, property });
  } catch {
    return undefined;
  }
}
