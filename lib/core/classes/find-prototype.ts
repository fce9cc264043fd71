/** What a container of dependencies knows of what it provides. */
export interface Provided {
  /** Whether a value or a factory provides it, so that there is no class to read. */
  readonly isNotMetatype: boolean;
  readonly metatype: { readonly prototype: unknown } | null;
  readonly instance: unknown;
}

/** Finds the prototype without an instance, which request-scoped and transient classes do not have yet. */
export function findPrototype({ isNotMetatype, metatype, instance }: Provided): object | undefined {
  if (!isNotMetatype) return metatype?.prototype as object | undefined;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype = Object.getPrototypeOf(instance) as object | null;
  return prototype === null || prototype === Object.prototype ? undefined : prototype;
}
