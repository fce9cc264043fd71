/** What a dependency container knows about a provider. */
export interface Provided {
  /** Whether a value or a factory provides it, in which case there is no class to read. */
  readonly isNotMetatype: boolean;
  readonly metatype: { readonly prototype: unknown } | null;
  readonly instance: unknown;
}

/** Finds the prototype without an instance, because request-scoped and transient classes have none yet. */
export function findPrototype({ isNotMetatype, metatype, instance }: Provided): object | undefined {
  if (!isNotMetatype) return metatype?.prototype as object | undefined;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype = Object.getPrototypeOf(instance) as object | null;
  return prototype === null || prototype === Object.prototype ? undefined : prototype;
}
