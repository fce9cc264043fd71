import { isIP } from 'node:net';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { CARD_NAME, LONGEST_NAME } from '../../../settings/server-card-options.js';

/** Whose a server is that says nothing of its host. */
const NOWHERE = 'localhost';

/** Names a server in reverse-DNS form: as it says, or by its host and what it calls itself. */
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

/** Returns the domain of a name in reverse-DNS form. */
export function findPublisher(name: string): string {
  const [namespace = NOWHERE] = name.split('/');
  return isIP(namespace) === 0 ? namespace.split('.').toReversed().join('.') : namespace;
}

function reverse(hostname: string): string {
  // Brackets and colons have no place in the name.
  if (hostname.startsWith('[')) return NOWHERE;
  return isIP(hostname) === 0 ? hostname.split('.').toReversed().join('.') : hostname;
}

function formatName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}
