import { isLoopbackUrl } from '../../lib/core/oauth/secure-url.js';
import type { CardRepository, ServerDescription } from '../../lib/index.js';
import { ServerJsonError } from './server-json.error.js';
import type { PackageManifest } from './server-json-files.js';
import type { ServerJson, ServerPackage, ServerRemote } from './server-json.interface.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const NPM = 'https://registry.npmjs.org';

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 100;
const LONGEST_VERSION = 255;

/** Ranges, and tags that move to later versions. */
const RANGE = /[\^~<>=*|\s]|^latest$|(?:^|\.)[xX](?:\.|$)/;

const ICON_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/svg+xml',
  'image/webp',
]);
const LONGEST_ICON_URL = 255;

/**
 * Builds a server's `server.json` from its settings and its package.
 *
 * @throws {ServerJsonError} listing everything that is missing, or that the registry would reject
 */
export function buildServerJson(described: ServerDescription, manifest: PackageManifest): ServerJson {
  const complaints: string[] = [];
  const complain = (complaint: string): void => void complaints.push(complaint);
  const { card } = described;
  const name = selectName(described, manifest, complain);
  const version = selectVersion(described, manifest, complain);
  const packages = buildPackages(described, { manifest, version });
  const remotes = buildRemotes(card.remotes);
  const { websiteUrl = readHomepage(manifest), repository = readRepository(manifest['repository']) } = card;
  if (packages.length + remotes.length === 0) complain(NOTHING);
  if (packages.length > 0 && manifest['mcpName'] === undefined) {
    complain(
      `"mcpName" is missing in "package.json": set it to "${name}", which the registry uses to verify package ownership`,
    );
  }
  const icons = card.icons?.filter(isTaken);
  const document: ServerJson = {
    $schema: SCHEMA,
    name,
    description: selectDescription(described, manifest, complain),
    ...(card.title !== undefined && { title: card.title }),
    version,
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(repository && { repository }),
    ...(icons !== undefined && icons.length > 0 && { icons }),
    ...(remotes.length > 0 && { remotes }),
    ...(packages.length > 0 && { packages }),
  };
  if (complaints.length > 0) throw new ServerJsonError(complaints);
  return document;
}

const NOTHING =
  'Clients cannot reach the server: set "publicUrl" to the URL that they use, or add a "bin" that serves stdio to "package.json" and remove "private"';

type ReportProblem = (complaint: string) => void;

function selectName(
  { card, isNamed }: ServerDescription,
  { mcpName, repository }: PackageManifest,
  complain: ReportProblem,
): string {
  const example = 'such as "io.github.your-name/desk"';
  if (mcpName === undefined) {
    if (isNamed) return card.name;
    const name = nameByRepository(card.repository ?? readRepository(repository), nameShortly(card));
    if (name !== undefined) return name;
    complain(`"mcpName" is missing in "package.json": set it to a name in reverse-DNS format, ${example}`);
    return card.name;
  }
  const isName = typeof mcpName === 'string' && NAME.test(mcpName) && mcpName.length <= LONGEST_NAME;
  if (!isName) {
    complain(`"mcpName" in "package.json" must be a name in reverse-DNS format, ${example}`);
    return card.name;
  }
  if (isNamed && card.name !== mcpName) {
    complain(
      `"mcpName" in "package.json" is "${mcpName}", but the name in the card is "${card.name}": use the same name`,
    );
  }
  return mcpName;
}

/** The registry lets users who log in with GitHub name servers after their account. */
function nameByRepository(repository: CardRepository | undefined, name: string): string | undefined {
  const [, owner] = /^https:\/\/github\.com\/([\w-]+)\//.exec(repository?.url ?? '') ?? [];
  return owner === undefined ? undefined : `io.github.${owner}/${name}`.slice(0, LONGEST_NAME);
}

/** Returns a server's name without its publisher. */
function nameShortly({ name }: ServerDescription['card']): string {
  return name.slice(name.indexOf('/') + 1);
}

function selectVersion(
  { card }: ServerDescription,
  { version = card.version }: PackageManifest,
  complain: ReportProblem,
): string {
  if (typeof version !== 'string' || version === '' || version.length > LONGEST_VERSION) {
    complain(`"version" in "package.json" must be a string of 1 to ${LONGEST_VERSION} characters`);
    return card.version;
  }
  if (RANGE.test(version))
    complain(`"version" is "${version}": use an exact version such as "1.0.2" instead of a range`);
  if (version !== card.version) {
    complain(
      `"version" in "package.json" is "${version}", but "serverInfo.version" is "${card.version}": use the same version, because clients compare them`,
    );
  }
  return version;
}

function selectDescription(
  { description, card }: ServerDescription,
  manifest: PackageManifest,
  complain: ReportProblem,
): string {
  // Without a description, the card repeats the title or the name, possibly with replaced characters.
  const names = [card.title, card.name, nameShortly(card)];
  const isSaid = ![description, description.replace(/[^\w.-]+/g, '-')].some((text) => names.includes(text));
  const said = isSaid ? description : (readText(manifest, 'description') ?? description);
  if (said.length > LONGEST_TEXT) {
    complain(
      `The description has ${said.length} characters, but the registry accepts at most ${LONGEST_TEXT}: set a shorter one with "serverCard.description"`,
    );
  }
  return said;
}

/** The registry rejects servers that others cannot reach. */
function buildRemotes(remotes: ServerDescription['card']['remotes'] = []): readonly ServerRemote[] {
  return remotes
    .filter(({ url }) => !isLoopbackUrl(url))
    .map(({ type, url, headers }) => ({ type, url, ...(headers && { headers }) }));
}

/** Describes the package if it is published and executable, and so serves MCP over stdio. */
function buildPackages(
  { environmentVariables }: ServerDescription,
  { manifest, version }: { readonly manifest: PackageManifest; readonly version: string },
): readonly ServerPackage[] {
  const { name, bin, private: isPrivate } = manifest;
  if (typeof name !== 'string' || bin === undefined || isPrivate === true) return [];
  return [
    {
      registryType: 'npm',
      registryBaseUrl: NPM,
      identifier: name,
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      ...(environmentVariables.length > 0 && { environmentVariables }),
    },
  ];
}

function isTaken({ src, mimeType }: NonNullable<ServerJson['icons']>[number]): boolean {
  const isUrl = src.startsWith('https:') && src.length <= LONGEST_ICON_URL;
  return isUrl && (mimeType === undefined || ICON_TYPES.has(mimeType));
}

function readHomepage(manifest: PackageManifest): string | undefined {
  const homepage = readText(manifest, 'homepage');
  return homepage !== undefined && /^https?:\/\//.test(homepage) && URL.canParse(homepage)
    ? homepage
    : undefined;
}

function readText(manifest: PackageManifest, member: string): string | undefined {
  const value = manifest[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The hosts of services that `package.json` may abbreviate. */
const HOSTS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

const SHORT = /^(?:(github|gitlab|bitbucket):)?(\w[\w.-]*\/[\w./-]+)$/;
const SSH = /^(?:ssh:\/\/)?git@([^/:]+)[/:](.+)$/;

/**
 * Reads the `repository` property of a `package.json`. Returns `undefined` if it does not contain a URL to browse.
 *
 * @see npm, "package.json", `repository`
 */
export function readRepository(given: unknown): CardRepository | undefined {
  const [text, folder] = isObject(given) ? [given['url'], given['directory']] : [given, undefined];
  if (typeof text !== 'string') return undefined;
  const url = readUrl(text);
  if (url === undefined) return undefined;
  const subfolder = typeof folder === 'string' ? folder.replace(/^\.?\/+|\/+$/g, '') : '';
  return { url: url.href, source: nameSource(url.hostname), ...(subfolder !== '' && { subfolder }) };
}

function readUrl(text: string): URL | undefined {
  const [, service = 'github', path] = SHORT.exec(text) ?? [];
  if (path !== undefined) return parse(`https://${HOSTS[service]}/${path}`);
  const [, host, place] = SSH.exec(text) ?? [];
  if (host !== undefined && place !== undefined) return parse(`https://${host}/${place}`);
  return parse(text.replace(/^git\+/, '').replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://'));
}

/** Credentials are removed, because the document is public. */
function parse(text: string): URL | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  Object.assign(url, { username: '', password: '', hash: '', search: '' });
  url.pathname = url.pathname.replace(/\.git$/, '').replace(/\/$/, '');
  return url;
}

function nameSource(hostname: string): string {
  const known = Object.entries(HOSTS).find(([, host]) => host === hostname);
  return known?.[0] ?? hostname;
}
