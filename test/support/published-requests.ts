import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Message } from './clients/message.js';

/** `ServerRequest` of the published schemas with all that it refers to, without descriptions. */
const SCHEMAS = JSON.parse(
  readFileSync(new URL('published-requests.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, object>>;

const ajv = new Ajv({ strict: false, validateFormats: false });
for (const [version, schema] of Object.entries(SCHEMAS)) ajv.addSchema(schema, version);

/** Tells whether a request of the server is one that the schema of a handshake revision publishes. */
export function isPublishedRequest(version: string, message: Message): boolean {
  const validate = ajv.getSchema(version);
  if (validate === undefined) throw new Error(`There is no published schema of ${version} here`);
  return validate(message) === true;
}
