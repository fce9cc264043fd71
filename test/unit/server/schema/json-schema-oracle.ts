import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** Says what the meta-schema of draft 2020-12 has against a schema; empty when it is a right one. */
export function findSchemaFaults(schema: object): string {
  const ajv = createOracle();
  void ajv.validateSchema(schema);
  return ajv.errors ? ajv.errorsText(ajv.errors) : '';
}

/** Tells what a reader of the list would think of a value. */
export function isValidFor(schema: object, value: unknown): boolean {
  return createOracle().compile<unknown>(schema)(value);
}

function createOracle(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  return ajv;
}
