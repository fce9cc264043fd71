import { describe, expect, it } from '@jest/globals';
import { catchFault } from '../../support/configuration-fault.js';

const ISSUER = 'https://login.example.com';
const TOKEN = 'a-fixed-token-of-the-desk';
const SERVED = { resourceUri: 'https://desk.example.com/mcp', authorizationServers: [ISSUER] };
const CREDENTIALS = { clientId: 'desk', clientSecret: 'hunter2' };

class KeyValidator {
  validate() {
    return undefined;
  }
}

const put = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

type Wrong = readonly [option: string, values: readonly unknown[], says: RegExp];

const SCOPE = /must be a scope such as "desk:read", without spaces/;
const SECURE_URL = /must be an "https:" URL; "http:" is allowed only for this machine/;
const TEXT = /must be a non-empty string/;
const TWICE = /must not contain a token twice/;
const NOT_EMPTY = /must not be empty: omit it instead/;
const OBJECT = /must be an object/;
const COUNT = /must be a whole number greater than 0/;
const AMOUNT = /must be a whole number, 0 or greater/;
const FLAG = /must be true or false/;
const PROVIDER = /must be a "TracerProvider" from "@opentelemetry\/api"/;
const INSECURE = [
  'login.example.com',
  'http://login.example.com',
  'ftp://login',
  'javascript:1',
  '',
  7,
  null,
];

/** Members of "auth" that are wrong, each beside a server that is otherwise right. */
const WRONG: readonly Wrong[] = [
  ['resourceUri', ['desk', 'ftp://desk', '', 7, null], /must be a URL such as/],
  [
    'resourceUri',
    ['HTTPS://Desk.Example.com:443/mcp'],
    /must be a normalized URL .*: use "https:\/\/desk\.example\.com\/mcp"/,
  ],
  ['resourceUri', ['https://desk.example.com/mcp#tools'], /must not have a fragment/],
  ['resourceUri', ['https://ada:hunter2@desk.example.com/mcp'], /must not contain a user or password/],
  ['authorizationServers', [ISSUER, {}], /must be an array/],
  ['scopesSupported', ['desk:read', null], /must be an array/],
  ['requiredScopes', ['desk:read'], /must be an array/],
  ['jwt', [true, 'RS256', null], OBJECT],
  ['jwt', [[]], NOT_EMPTY],
  ['jwt.issuer', ['', 7, null], TEXT],
  ['jwt.issuer', [[]], NOT_EMPTY],
  [
    'jwt.issuer',
    ['http://login.example.com', 'login'],
    /must be an "https:" URL from which its keys are fetched, or/,
  ],
  ['jwt.jwksUrl', INSECURE, SECURE_URL],
  ['jwt.audience', ['', 7, null], TEXT],
  ['jwt.audience', [[]], NOT_EMPTY],
  ['jwt.audienceClaim', ['', ['aud']], TEXT],
  ['jwt.algorithms', ['RS256', null], /must be an array/],
  ['jwt.algorithms', [[]], NOT_EMPTY],
  ['jwt.types', ['at+jwt'], /must be an array/],
  ['jwt.scopeClaims', ['scp'], /must be an array/],
  ['jwt.scopePrefix', ['api://desk /', 'a"', 7, null], /must be a scope prefix, such as "api:\/\/desk\/"/],
  ['jwt.clockToleranceSeconds', [-1, 0.5, '5', null], AMOUNT],
  ['jwt.cacheTtlMs', [-1, Infinity], AMOUNT],
  ['jwt.cacheSize', [0, '10'], COUNT],
  ['jwt.jwks', [true, 'https://login.example.com/jwks', []], OBJECT],
  ['jwt.jwks.cooldownMs', [0, -1], COUNT],
  ['jwt.jwks.maxAgeMs', [0, Number.NaN], COUNT],
  ['jwt.jwks.maxStaleMs', [-1], AMOUNT],
  ['jwt.jwks.timeoutMs', [0, '5s'], COUNT],
  ['jwt.jwks.timeoutMs', [2 ** 31], /must be at most/],
  ['jwt.jwks.prefetch', ['yes', 1], FLAG],
  ['jwt.jwks.url', ['x'], /is not a known option: use one of cooldownMs/],
  ['jwt.tracerProvider', [{}, null, 'global', true], PROVIDER],
  ['jwt.jwksTracerProvider', [{}, null], PROVIDER],
  ['jwt.secret', ['x'], /is not a known option: (?:similar options are |use one of issuer)/],
  ['bearer', [7, null, true], OBJECT],
  ['bearer', [[]], NOT_EMPTY],
  [
    'bearer',
    ['', 'short', 'fifteen-letters', 'spaces are not in tokens', 'naïve-token-of-the-desk'],
    /must be a token of/,
  ],
  [
    'bearer',
    [
      [TOKEN, TOKEN],
      [
        { token: TOKEN, subject: 'ada' },
        { token: TOKEN, subject: 'bob' },
      ],
    ],
    TWICE,
  ],
  ['bearer.token', [undefined], /is required: set it to a value such as process\.env\.DESK_TOKEN/],
  ['bearer.token', ['', 'short', 7, null], /must be a token of at least 16 letters/],
  ['introspection', ['https://login.example.com/introspect', true, []], OBJECT],
  ['introspection.clientId', [undefined], /is required: set it to a value such as "desk"/],
  ['validator', [true, {}, null, 'KeyValidator'], /must be a provider class, or an object with/],
  ['resourceMetadata', ['Desk', [], null], OBJECT],
  ['resourceMetadataUrl', ['/metadata', 7], /must be a URL such as/],
  ['authorizationServerMetadata', ['proxied', ISSUER], /must be "proxy"/],
  ['authorizationServerMetadata', [true, null, []], OBJECT],
  ['filterLists', ['yes', 1, null], FLAG],
  ['endStreamsWithToken', ['yes', 0], FLAG],
  ['issuer', [ISSUER], /is not a known option$/],
];

/** Members of what must have others beside it. */
const WRONG_BESIDE: readonly (readonly [beside: object, ...Wrong])[] = [
  [{ token: TOKEN }, 'bearer.subject', ['', 7], TEXT],
  [{ token: TOKEN }, 'bearer.scopes', ['desk:read'], /must be an array/],
  [
    { token: TOKEN },
    'bearer.scope',
    ['desk:read'],
    /is not a known option: use one of token, subject, scopes/,
  ],
  [CREDENTIALS, 'introspection.clientId', ['', 7], TEXT],
  [CREDENTIALS, 'introspection.clientSecret', ['', 7], TEXT],
  [
    CREDENTIALS,
    'introspection.clientSecret',
    [undefined],
    /is required: set it to a value such as process\.env\.DESK_SECRET/,
  ],
  [CREDENTIALS, 'introspection.endpoint', INSECURE, SECURE_URL],
  [
    CREDENTIALS,
    'introspection.authenticationMethod',
    ['none', 'private_key_jwt'],
    /must be "client_secret_basic" or/,
  ],
  [CREDENTIALS, 'introspection.audience', ['', 7], TEXT],
  [CREDENTIALS, 'introspection.audience', [[]], NOT_EMPTY],
  [CREDENTIALS, 'introspection.unsafeAllowMissingAudience', ['yes'], FLAG],
  [CREDENTIALS, 'introspection.cacheTtlMs', [-1], AMOUNT],
  [CREDENTIALS, 'introspection.cacheSize', [0], COUNT],
  [CREDENTIALS, 'introspection.timeoutMs', [0, 2 ** 31], /must be/],
];

/** Second members of lists that are wrong, behind a first that is right. */
const WRONG_ITEMS: readonly (readonly [
  option: string,
  first: unknown,
  items: readonly unknown[],
  says: RegExp,
])[] = [
  ['authorizationServers', ISSUER, INSECURE, SECURE_URL],
  ['scopesSupported', 'a', ['a b', '', 'a"', 'a\\', 'é', 7], SCOPE],
  ['requiredScopes', 'a', ['a b', '', 7], SCOPE],
  ['jwt', {}, ['RS256', null], OBJECT],
  ['jwt.issuer', ISSUER, ['', 7], TEXT],
  ['jwt.issuer', ISSUER, ['http://login.example.com'], /or be used with "jwksUrl"/],
  ['jwt.audience', 'desk', ['', 7], TEXT],
  ['jwt.types', 'at+jwt', ['', 7], TEXT],
  ['jwt.scopeClaims', 'scp', ['', 7], TEXT],
  ['bearer', TOKEN, ['short'], /must be a token of/],
  ['bearer', TOKEN, [7, null, []], OBJECT],
];

const FAULTS = [
  ...WRONG.flatMap(([option, values, says]) =>
    values.map((value) => [option, put(option, value), says] as const),
  ),
  ...WRONG_BESIDE.flatMap(([beside, option, values, says]) =>
    values.map((value) => {
      const [group = '', member = ''] = option.split('.');
      return [option, { [group]: { ...beside, [member]: value } }, says] as const;
    }),
  ),
  ...WRONG_ITEMS.flatMap(([option, first, items, says]) =>
    items.map((item) => [`${option}[1]`, put(option, [first, item]), says] as const),
  ),
];

describe('The option "auth"', () => {
  it.each(FAULTS)('is refused for "%s" of %j (MOD-11)', (option, auth, says) => {
    const fault = catchFault({ auth: { validator: KeyValidator, ...SERVED, ...(auth as object) } });
    expect(fault.option).toBe(`auth.${option}`);
    expect(fault.message).toContain(`"auth.${option}"`);
    expect(fault.message).toMatch(says);
    expect(fault.message).not.toMatch(/\.$|hunter2/);
  });

  it.each([
    'none',
    'None',
    'HS256',
    'HS384',
    'HS512',
    'dir',
    'A256KW',
    'rs256',
    'ES256K',
    'RS1',
    '',
    7,
    null,
  ])('cannot take the signature algorithm %j (AUTH-04)', (algorithm) => {
    const auth = { ...SERVED, jwt: { algorithms: ['RS256', algorithm] } };
    const { option, message } = catchFault({ auth });
    expect(option).toBe('auth.jwt.algorithms[1]');
    expect(message).toMatch(/must be "RS256" or "RS384" or .*"EdDSA"/);
  });

  it('says nothing of what was given (AUTH-15)', () => {
    expect(catchFault({ auth: { bearer: 'hunter2' } }).message).not.toContain('hunter2');
    expect(catchFault({ auth: { bearer: [TOKEN, { token: 'hunter2' }] } }).message).not.toContain('hunter2');
  });
});
