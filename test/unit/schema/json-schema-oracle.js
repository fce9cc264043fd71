import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
/** Says what the meta-schema of draft 2020-12 has against a schema; empty when it is a right one. */
export function findSchemaFaults(schema) {
    const ajv = createOracle();
    ajv.validateSchema(schema);
    return ajv.errors ? ajv.errorsText(ajv.errors) : '';
}
/** Tells what a reader of the list would think of a value. */
export function isValidFor(schema, value) {
    return createOracle().compile(schema)(value) === true;
}
function createOracle() {
    const ajv = new Ajv2020({ strict: false });
    ajvFormats.default(ajv);
    return ajv;
}
