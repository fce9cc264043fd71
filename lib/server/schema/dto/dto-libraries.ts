import type ClassTransformer = require('class-transformer');
import type ClassValidator = require('class-validator');
import type { MetadataStorage as TransformationStorage } from 'class-transformer/types/MetadataStorage.js';
import { isPackageMissing } from '../../../core/package/missing-package.js';
import type { DtoClass, JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import packages from '../packages-on-demand.cjs';
import { SchemaError } from '../schema.error.js';

export type { ValidationError } from 'class-validator';
export type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

/**
 * The possible arguments to `@JSONSchema()` from `class-validator-jsonschema`: keywords to add, or a function that
 * returns all of them.
 */
export type Decoration = JsonSchema | ((schema: JsonSchema, options: object) => JsonSchema);

/** The property that `@Type()` uses to distinguish subtypes. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: DtoClass }[];
}

/** The packages that a DTO class needs. They are optional peers, so only applications with such a class load them. */
export interface DtoLibraries {
  readonly validator: typeof ClassValidator;
  readonly transformer: typeof ClassTransformer;
  readonly transformations: TransformationStorage;
  /** Finds the `@JSONSchema()` on a class or one of its properties. */
  readonly findDecoration: (target: DtoClass, name: string) => Decoration | undefined;
}

/** The package that converts instances to plain objects, and its decorators' metadata. */
export type Transformation = Pick<DtoLibraries, 'transformer' | 'transformations'>;

/** How to load the packages. */
export type DtoPackages = Pick<
  typeof packages,
  'loadValidator' | 'loadTransformer' | 'loadDecorations' | 'STORAGES'
>;

let loaded: DtoLibraries | undefined;

/**
 * Loads the packages a DTO class needs, once.
 *
 * @throws {SchemaError} if `class-validator` or `class-transformer` is not installed
 */
export function loadDtoLibraries(source: DtoClass, direction: SchemaDirection): DtoLibraries {
  return (loaded ??= findDtoLibraries(packages, source, direction));
}

/**
 * Finds the packages a DTO class needs.
 *
 * @throws {SchemaError} if `class-validator` or `class-transformer` is not installed
 */
export function findDtoLibraries(
  { loadValidator, loadTransformer, loadDecorations, STORAGES }: DtoPackages,
  source: DtoClass,
  direction: SchemaDirection,
): DtoLibraries {
  const validator = findInstalled('class-validator', loadValidator());
  const transformer = findInstalled('class-transformer', loadTransformer());
  if (validator === undefined || transformer === undefined) {
    throw SchemaError.missingPackages(direction, source.name);
  }
  const getMetadataSchema = findInstalled('class-validator-jsonschema', loadDecorations());
  return {
    validator,
    transformer,
    transformations: findTransformations(transformer, STORAGES),
    findDecoration: (target, name) =>
      getMetadataSchema?.(target.prototype as object, name) as Decoration | undefined,
  };
}

/** Finds `class-transformer`. If it is not installed, no class hides anything. */
export function findTransformation({
  loadTransformer,
  STORAGES,
}: Pick<DtoPackages, 'loadTransformer' | 'STORAGES'> = packages): Transformation | undefined {
  const transformer = findInstalled('class-transformer', loadTransformer());
  return transformer && { transformer, transformations: findTransformations(transformer, STORAGES) };
}

/**
 * A bundle may contain a different build of the package than the one that Node loads. Only the storage that the
 * decorators write to is correct.
 */
function findTransformations(
  { Expose }: typeof ClassTransformer,
  storages: DtoPackages['STORAGES'],
): TransformationStorage {
  class Probe {}
  Expose()(Probe.prototype, 'probe');
  for (const load of storages) {
    const storage = load();
    if (storage?.findExposeMetadata(Probe, 'probe') !== undefined) return storage;
  }
  throw new TypeError('"class-transformer" stores its metadata in an unknown location: use version 0.5');
}

type Optional<Package> = { readonly found: Package } | { readonly problem: unknown };

/** A package that fails to load is an error, unlike one that is absent. */
function findInstalled<Package>(name: string, loading: Optional<Package>): Package | undefined {
  if ('found' in loading) return loading.found;
  if (isPackageMissing(name, loading.problem)) return undefined;
  throw loading.problem;
}

interface DtoMember {
  readonly target: DtoClass;
  readonly property: string;
  readonly direction: SchemaDirection;
}

/** Returns whether `@Exclude()` hides a property from clients. It is then not listed, and its value is ignored. */
export function isExcluded(
  transformations: DtoLibraries['transformations'],
  { target, property, direction }: DtoMember,
): boolean {
  const excluded = transformations.findExcludeMetadata(target, property);
  return excluded !== undefined && !(direction === 'input' && excluded.options.toPlainOnly === true);
}
