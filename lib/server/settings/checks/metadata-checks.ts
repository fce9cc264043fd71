import { fail, type Check } from '../../../core/checks/option-checks.js';

/** What the server fills in itself, with what is to be changed in its place. */
const OWN_MEMBERS: { readonly [member: string]: string } = {
  resource: 'say it by "auth.resourceUri"',
  authorization_servers: 'say it by "auth.authorizationServers"',
  scopes_supported: 'say it by "auth.scopesSupported"',
  bearer_methods_supported: 'note that tokens are taken from the header alone',
  dpop_signing_alg_values_supported: 'say it by "auth.dpop"',
  dpop_bound_access_tokens_required: 'say it by "auth.dpop"',
};

/** Checks an object that can be sent as JSON. */
export const jsonObject: Check = (option, value) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || !isSerialisable(value)) fail(option, 'must be an object that can be written as JSON');
};

/** Checks the members of the metadata that the server does not know itself (RFC 9728 §2). */
export const resourceMetadata: Check = (option, value) => {
  jsonObject(option, value);
  for (const [name, member] of Object.entries(value as object)) {
    const remedy = Object.hasOwn(OWN_MEMBERS, name) ? OWN_MEMBERS[name] : undefined;
    if (member === undefined || remedy === undefined) continue;
    fail(`${option}.${name}`, `is filled in by the server: leave it out, and ${remedy}`);
  }
};

function isSerialisable(value: object): boolean {
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}
