/** Further parameters of an authorization request, by their names on the wire. */
export type AuthorizationParameters = { readonly [name: string]: string };

/** What a login says by itself, or what would change how it is answered. */
const OWN: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'resource',
  'scope',
  'response_mode',
  'request',
  'request_uri',
  'client_secret',
  'dpop_jkt',
]);

/**
 * Says what is wrong with further parameters of an authorization request, as the end of a sentence that begins with the name of one;
 * nothing if they can be sent.
 *
 * @see RFC 6749 §3.1, §8.2
 */
export function findParameterFault(
  parameters: AuthorizationParameters,
): { readonly name: string; readonly fault: string } | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    if (OWN.has(name)) return { name, fault: 'is set by the login itself' };
    if (!/^[\w.-]+$/.test(name)) return { name, fault: 'is no name of a parameter' };
    if (typeof value !== 'string') return { name, fault: 'must be a text' };
  }
  return undefined;
}

/**
 * Refuses parameters that a login could not have.
 *
 * @throws {TypeError} with the name of the first
 */
export function assertAuthorizationParameters(parameters: AuthorizationParameters = {}): void {
  const found = findParameterFault(parameters);
  if (found === undefined) return;
  throw new TypeError(
    `The "authorizationParameters" must not have ${JSON.stringify(found.name)}: it ${found.fault}`,
  );
}
