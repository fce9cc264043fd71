import { REVISIONS } from '../../../../core/protocol/revisions.js';
import { findPublishedResource } from '../../../auth/metadata/resource-metadata.js';
import { LONGEST_TEXT, type CardInput } from '../../../settings/server-card-options.js';
import { onlyGiven } from '../../../settings/only-given.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { buildCardName } from './build-card-name.js';
import type { CardRemote, ServerCard } from './server-card.interface.js';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/** What a card tells about how the server is reached. */
export type CardEndpoint = Pick<URL, 'href'> & {
  /** Where the transport of 2024-11-05 is; absent if it is not served. */
  readonly sse?: string | undefined;
};

/** Tells clients without a login that they have to bring a token. */
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
 * Builds the card of a server from its settings: the same for everybody.
 *
 * @param endpoint where it is reached; left out if that is not known
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

/** Finds what a server says of what it does, however long. */
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

/** Clients that log in come by the token themselves. */
function buildTokenHeaders({ auth }: ServerSettings): readonly CardInput[] {
  return auth === undefined || findPublishedResource(auth) !== undefined ? [] : [TOKEN_HEADER];
}

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}…`;
}
