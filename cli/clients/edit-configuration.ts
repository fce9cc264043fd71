import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { quoteVisible } from '../visible-text.js';
import { ANY_NAME, type Entry } from '../../lib/core/clients/describe-server.js';
import type { Client } from './client.interface.js';
import { ConfigurationError } from './configuration-file.js';
import { insertMember, removeMember } from './json-edit.js';
import { isNamedByHost } from './server-name.js';

/** A server in a client's file. */
export interface ServerLocation {
  readonly client: Pick<Client, 'member' | 'title'>;
  /** The client's name for the server. */
  readonly name: string;
}

/** The maximum size, far above any real file. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** The content of a new file. */
const EMPTY = '{}\n';

/**
 * Adds a server to a configuration, or replaces an entry with its name and URL. Everything else is preserved, including
 * comments.
 *
 * @throws {ConfigurationError} if the configuration is invalid, or another server has the name
 */
export function addServer(text: string, place: ServerLocation, entry: Entry): string {
  const { client, name } = place;
  const given = isBlank(text) ? EMPTY : text;
  const root = parseConfiguration(given, client);
  const servers = findNodeAtLocation(root, [client.member]);
  if (servers === undefined) return insertMember(given, root, client.member, { [name]: entry });
  const present = findNodeAtLocation(servers, [name]);
  if (present === undefined) return insertMember(given, servers, name, entry);
  const value: unknown = getNodeValue(present);
  if (isSame(value, entry)) return text;
  if (isOfSameUrl(value, entry)) {
    return addServer(removeMember(given, root, [client.member, name]), place, entry);
  }
  throw new ConfigurationError(
    `${client.title} already has a different server called ${quoteVisible(name)}: choose another "--name", or remove that server`,
  );
}

/**
 * Removes a server from a configuration, together with the list of servers if it becomes empty. A configuration without any
 * properties becomes an empty string.
 *
 * @throws {ConfigurationError} if the configuration is invalid
 */
export function removeServer(text: string, { client, name }: ServerLocation): string {
  if (isBlank(text)) return text;
  const root = parseConfiguration(text, client);
  const servers = findNodeAtLocation(root, [client.member]);
  if (servers === undefined || findNodeAtLocation(servers, [name]) === undefined) return text;
  const isLast = servers.children?.length === 1;
  const left = removeMember(text, root, isLast ? [client.member] : [client.member, name]);
  return /^\s*\{\s*\}\s*$/.test(left) ? '' : left;
}

/**
 * Finds the name that "add" gave to a server, if neither a name nor a URL is passed.
 *
 * @throws {ConfigurationError} if several servers may have such a name, or the configuration is invalid
 */
export function findAddedName(text: string, client: ServerLocation['client']): string {
  if (isBlank(text)) return ANY_NAME;
  const servers = findNodeAtLocation(parseConfiguration(text, client), [client.member]);
  const named = Object.entries(servers === undefined ? {} : (getNodeValue(servers) as object))
    .filter(([name, entry]) => name === ANY_NAME || isNamedByHost(name, entry))
    .map(([name]) => name);
  const [only = ANY_NAME, ...others] = named;
  if (others.length === 0) return only;
  throw new ConfigurationError(
    `${client.title} has ${named.map(quoteVisible).join(' and ')}: pass the URL of one of them, or its "--name"`,
  );
}

/**
 * Parses a client's configuration. Clients support comments and trailing commas, or at least ignore them.
 *
 * @throws {ConfigurationError} if it is not a JSON object, or its list of servers is not an object
 */
export function parseConfiguration(text: string, { member, title }: ServerLocation['client']): Node {
  const errors: ParseError[] = [];
  const root = text.length > LONGEST_FILE ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new ConfigurationError(`The file is not valid JSON at line ${line}: fix it first`);
  }
  const servers = root?.type === 'object' ? findNodeAtLocation(root, [member]) : undefined;
  if (root?.type === 'object' && (servers === undefined || servers.type === 'object')) {
    assertOnce(root, [member]);
    assertOnce(servers);
    return root;
  }
  throw new ConfigurationError(
    `The file must contain an object in the format of ${title}, with the servers in "${member}"`,
  );
}

/**
 * Rejects duplicate properties, because clients read the last one or reject the file.
 *
 * @param names the properties to check @default all
 */
function assertOnce(object: Node | undefined, names?: readonly string[]): void {
  const seen = new Set<unknown>();
  for (const { children: [key] = [] } of object?.children ?? []) {
    const name: unknown = key?.value;
    if (seen.has(name) && names?.includes(String(name)) !== false) {
      throw new ConfigurationError(`The file has ${quoteVisible(String(name))} twice: merge both first`);
    }
    seen.add(name);
  }
}

/** Compares as JSON, because one of them has no prototype. */
function isSame(one: unknown, other: Entry): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** Entries contain their server's URL in a property, or in a bridge argument. */
function isOfSameUrl(one: unknown, other: Entry): boolean {
  const [urls, others] = [listUrls(one), listUrls(other)];
  return urls.length > 0 && isDeepStrictEqual(urls, others);
}

function listUrls(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listUrls) : [];
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
