import type { Node, ObjectLiteralExpression } from 'ts-morph';
import { findPage } from '../../find-page.js';
import type { Migration } from '../migration.js';
import { THEIR_PACKAGE } from '../replacements/exported-names.js';
import type { TsMorph } from '../source/load-ts-morph.js';
import { findObject, findProperty, getMemberName, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

const MODULE = 'McpAuthModule';

/** The options that are replaced, or that hold here without an option. */
const REPLACED: ReadonlySet<string> = new Set([
  ...['provider', 'clientId', 'clientSecret', 'serverUrl', 'apiPrefix', 'resource', 'jwtSecret'],
  ...[
    'jwtAccessTokenExpiresIn',
    'jwtRefreshTokenExpiresIn',
    'protectedResourceMetadata',
    'storeConfiguration',
  ],
  ...['jwtIssuer', 'jwtAudience', 'enableRefreshTokens', 'requirePkce', 'clientIdMetadataDocuments'],
  ...['cookieSecure', 'skipCookieParserCheck', 'scopeValidation'],
]);

const PRESETS: Readonly<Record<string, string>> = {
  GitHubOAuthProvider: 'upstreams.github({',
  GoogleOAuthProvider: 'upstreams.google({',
  AzureADOAuthProvider: "upstreams.entraId({ tenant: 'your tenant ID',",
};

/** A provider without a preset. */
const CUSTOM = '{ authorizationUrl, tokenUrl, userUrl, readSubject,';

/** Used if the application named no scopes: a user without scopes cannot log in. */
const ONLY_SCOPE = 'mcp:use';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Notes how `McpAuthorizationServerModule` replaces `McpAuthModule`, which stays until its tokens may end. */
export function noteAuthorizationServers(migration: Migration): void {
  for (const file of migration.files) {
    for (const options of findOptions(file)) migration.notes.add(describeReplacement(file, options));
  }
}

/** Since release 2, the module is in a separate package. */
function findOptions({ file, facts: { morph } }: SourceMigration): readonly ObjectLiteralExpression[] {
  const isImported = file
    .getImportDeclarations()
    .filter((declaration) => declaration.getModuleSpecifierValue().startsWith(THEIR_PACKAGE))
    .some((declaration) => declaration.getNamedImports().some((one) => one.getName() === MODULE));
  if (!isImported) return [];
  return file
    .getDescendantsOfKind(morph.SyntaxKind.CallExpression)
    .filter((call) => call.getExpression().getText() === `${MODULE}.forRoot`)
    .flatMap((call) => findObject(call.getArguments()[0], morph) ?? []);
}

function describeReplacement(file: SourceMigration, options: ObjectLiteralExpression): string {
  const { morph } = file.facts;
  const names = options.getProperties().flatMap((member) => getMemberName(member, morph) ?? []);
  const lost = names.filter((name) => !REPLACED.has(name)).map((name) => `"${name}"`);
  const page = `${findPage('migration/from-mcp-nest.md')}#authorization-server`;
  return [
    `${file.path}: "McpAuthModule" stays. Once its tokens may end, replace it with this:`,
    '  McpAuthorizationServerModule.forRoot({',
    ...formatMembers(file, options).map((member) => `    ${member},`),
    '  })',
    ...(lost.length > 0 ? [`  These options have no counterpart: ${lost.join(', ')}`] : []),
    `  Users without a scope cannot log in: decide in "grantScopes". See ${page}`,
  ].join('\n');
}

function formatMembers(file: SourceMigration, options: ObjectLiteralExpression): readonly string[] {
  const { morph } = file.facts;
  const find = (name: string) => getValue(findProperty(options, name, morph), morph);
  const read = (name: string, otherwise: string) => find(name)?.getText() ?? otherwise;
  const readSecret = (name: string, variable: string) =>
    isWritten(find(name), morph) ? `process.env.${variable}!` : read(name, "''");
  const scopes = findScopes(file, options);
  const texts = scopes.map((scope) => `'${scope}': 'What this scope allows'`).join(', ');
  const preset = PRESETS[read('provider', '')] ?? CUSTOM;
  const credentials = `clientId: ${read('clientId', "''")}, clientSecret: ${readSecret('clientSecret', 'CLIENT_SECRET')} }`;
  const access = findSeconds(read('jwtAccessTokenExpiresIn', ''));
  const refresh = findSeconds(read('jwtRefreshTokenExpiresIn', ''));
  const hasStore = find('storeConfiguration') !== undefined;
  return [
    `issuer: ${joinUrl(read('serverUrl', "'https://localhost:3000'"), read('apiPrefix', "''"))}`,
    `resources: { [${read('resource', 'publicUrl')}]: { ${texts} } }`,
    `upstream: ${preset} ${credentials}${preset === CUSTOM ? '' : ')'}`,
    `grantScopes: (user) => [${scopes.map((scope) => `'${scope}'`).join(', ')}]`,
    `secret: ${readSecret('jwtSecret', 'AUTH_SECRET')}`,
    ...(access === undefined ? [] : [`accessTokenSeconds: ${access}`]),
    ...(refresh === undefined ? [] : [`refreshTokenSeconds: ${refresh}`]),
    ...(hasStore ? ['storage: redisAuthorizationStorage({ client })'] : []),
  ];
}

/** Checks whether a secret is written in the source, so that it must not be printed. */
function isWritten(value: Node | undefined, { Node: kind }: TsMorph): boolean {
  return kind.isStringLiteral(value) || kind.isNoSubstitutionTemplateLiteral(value);
}

function findScopes(file: SourceMigration, options: ObjectLiteralExpression): readonly string[] {
  const { morph } = file.facts;
  const published = findProperty(options, 'protectedResourceMetadata', morph);
  const metadata = findObject(getValue(published, morph), morph);
  const list = metadata && getValue(findProperty(metadata, 'scopesSupported', morph), morph);
  const elements = morph.Node.isArrayLiteralExpression(list) ? list.getElements() : [];
  const scopes = elements.flatMap((one) => (morph.Node.isStringLiteral(one) ? one.getLiteralValue() : []));
  return scopes.length === 0 ? [ONLY_SCOPE] : scopes;
}

/** Joins two expressions. Here, the issuer must have a path. */
function joinUrl(server: string, prefix: string): string {
  const path = /^(['"`])\/?(.*?)\/?\1$/.exec(prefix)?.[2];
  const end = path === undefined ? `\${${prefix}}` : path || 'oauth';
  const literal = /^(['"`])([^$]*?)\/?\1$/.exec(server)?.[2];
  if (literal !== undefined && path !== undefined) return `'${literal}/${end}'`;
  return `\`${literal ?? `\${${server}}`}/${end}\``;
}

/** Reads a duration such as `'30d'`. */
function findSeconds(text: string): number | undefined {
  const [, count, unit = ''] = /^['"](\d+)\s*([smhd])['"]$/.exec(text) ?? [];
  const seconds = SECONDS[unit];
  return seconds === undefined ? undefined : Number(count) * seconds;
}
