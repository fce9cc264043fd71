/** Keywords whose value maps names to schemas. Such a name is not a keyword. */
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
