/** Keywords whose value is a map of names to schemas: a name there is no keyword. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose value is not a schema, even if it looks like one. */
export const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  '$vocabulary',
  'const',
  'default',
  'dependentRequired',
  'enum',
  'examples',
  'required',
]);
