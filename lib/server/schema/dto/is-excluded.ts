import type { DtoClass, SchemaDirection } from '../compiled-schema.interface.js';
import type { DtoLibraries } from './dto-libraries.js';

interface DtoMember {
  readonly target: DtoClass;
  readonly property: string;
  readonly direction: SchemaDirection;
}

/** Tells whether `@Exclude()` hides a member from clients. It is then not listed, and its value is ignored. */
export function isExcluded(
  transformations: DtoLibraries['transformations'],
  { target, property, direction }: DtoMember,
): boolean {
  const excluded = transformations.findExcludeMetadata(target, property);
  return excluded !== undefined && !(direction === 'input' && excluded.options.toPlainOnly === true);
}
