/** Further parameters of an authorization request, by their names on the wire. */
export type AuthorizationParameters = { readonly [name: string]: string };

/** Parameters that the login sets itself, or that would change how the answer comes back. */
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
 * Says what is wrong with further parameters of an authorization request, or returns `undefined` if they can be sent.
 * The text continues a sentence that begins with the name of a parameter.
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
 * Refuses parameters that a login cannot send.
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
