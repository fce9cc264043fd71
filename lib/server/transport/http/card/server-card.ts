import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import type { Icon } from '../../../../core/protocol/definitions.js';
import {
  CARD_NAME,
  type CardInput,
  type CardRepository,
  LONGEST_NAME,
  LONGEST_TEXT,
} from '../../../settings/server-card-options.js';
import { REVISIONS } from '../../../../core/protocol/revisions.js';
import { findPublishedResource } from '../../../auth/metadata/resource-metadata.js';
import { onlyGiven } from '../../../settings/only-given.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { isIP } from 'node:net';

/**
 * Describes a server and its address to clients that have not connected yet (SEP-2127). It does not list tools, resources
 * or prompts.
 *
 * @see modelcontextprotocol/experimental-ext-server-card, `schema.ts`
 */
export interface ServerCard {
  readonly $schema: string;
  /** In reverse-DNS form. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: CardRepository;
  readonly icons?: readonly Icon[];
  /** The server's endpoints; absent without `publicUrl`. */
  readonly remotes?: readonly CardRemote[];
  readonly _meta?: OpenObject;
}

/** How to reach a server over HTTP. */
export interface CardRemote {
  readonly type: 'streamable-http' | 'sse';
  readonly url: string;
  readonly headers?: readonly CardInput[];
  readonly supportedProtocolVersions: readonly string[];
}

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/** How to reach the server, for its card. */
export type CardEndpoint = Pick<URL, 'href'> & {
  /** URL of the HTTP+SSE transport; absent if it is not served. */
  readonly sse?: string | undefined;
};

/** Requires a token from clients that cannot log in. */
const TOKEN_HEADER: CardInput = {
  name: 'Authorization',
  description: 'Access token',
  isRequired: true,
  isSecret: true,
  value: 'Bearer {token}',
  variables: { token: { description: 'Access token', isRequired: true, isSecret: true } },
};

const ALL_VERSIONS = REVISIONS.map(({ version }) => version);
const HANDSHAKE_VERSIONS = REVISIONS.filter(({ kind }) => kind === 'handshake').map(({ version }) => version);

/**
 * Builds a server's card from its settings.
 *
 * @param endpoint how to reach the server, if known
 */
export function buildServerCard(settings: ServerSettings, endpoint: CardEndpoint | undefined): ServerCard {
  const { serverInfo, serverCard: said = {} } = settings;
  const title = said.title ?? serverInfo.title;
  const websiteUrl = said.websiteUrl ?? serverInfo.websiteUrl;
  return {
    $schema: SCHEMA,
    name: buildCardName(settings),
    version: serverInfo.version,
    description: shorten(findDescription(settings)),
    ...(title !== undefined && { title: shorten(title) }),
    ...onlyGiven({ websiteUrl, repository: said.repository, icons: serverInfo.icons }),
    ...(endpoint && { remotes: buildRemotes(settings, endpoint) }),
    ...onlyGiven({ _meta: said._meta }),
  };
}

/** Finds a server's description, of any length. */
export function findDescription({
  serverInfo,
  serverCard,
}: Pick<ServerSettings, 'serverInfo' | 'serverCard'>): string {
  const { description, title, name } = serverInfo;
  return serverCard?.description ?? description ?? serverCard?.title ?? title ?? name;
}

function buildRemotes(settings: ServerSettings, { href, sse }: CardEndpoint): readonly CardRemote[] {
  const headers = settings.serverCard?.headers ?? buildTokenHeaders(settings);
  const said = headers.length > 0 ? { headers } : {};
  return [
    { type: 'streamable-http', url: href, ...said, supportedProtocolVersions: ALL_VERSIONS },
    ...(sse === undefined
      ? []
      : [{ type: 'sse' as const, url: sse, ...said, supportedProtocolVersions: HANDSHAKE_VERSIONS }]),
  ];
}

/** Clients that log in obtain the token themselves. */
function buildTokenHeaders({ auth }: ServerSettings): readonly CardInput[] {
  return auth === undefined || findPublishedResource(auth) !== undefined ? [] : [TOKEN_HEADER];
}

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}…`;
}

/** The namespace for a server without a host. */
const NOWHERE = 'localhost';

/** Returns a server's reverse-DNS name: the configured one, or one from its host and name. */
export function buildCardName({
  serverCard,
  serverInfo,
  publicUrl,
}: Pick<ServerSettings, 'serverCard' | 'serverInfo' | 'publicUrl'>): string {
  if (serverCard?.name !== undefined) return serverCard.name;
  if (CARD_NAME.test(serverInfo.name) && serverInfo.name.length <= LONGEST_NAME) return serverInfo.name;
  const namespace = reverse(publicUrl?.hostname ?? NOWHERE);
  return `${namespace}/${formatName(serverInfo.name)}`.slice(0, LONGEST_NAME);
}

/** Returns a reverse-DNS name's domain. */
export function findPublisher(name: string): string {
  const [namespace = NOWHERE] = name.split('/');
  return isIP(namespace) === 0 ? namespace.split('.').toReversed().join('.') : namespace;
}

function reverse(hostname: string): string {
  // An IPv6 address does not fit the name format.
  if (hostname.startsWith('[')) return NOWHERE;
  return isIP(hostname) === 0 ? hostname.split('.').toReversed().join('.') : hostname;
}

function formatName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}
