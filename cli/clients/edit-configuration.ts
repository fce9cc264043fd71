import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { quoteVisible } from '../visible-text.js';
import { ANY_NAME, type Entry } from '../../lib/core/clients/describe-server.js';
import type { Client } from './client.interface.js';
import { ConfigurationError } from './configuration-file.js';
import { insertMember, removeMember } from './json-edit.js';
import { isNamedByHost } from './server-name.js';

/** A server in the file of a client. */
export interface ServerLocation {
  readonly client: Pick<Client, 'member' | 'title'>;
  /** What the client calls the server. */
  readonly name: string;
}

/** The maximum size, far above any real file. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** The content of a new file. */
const EMPTY = '{}\n';

/**
 * Adds a server to the text of a configuration, or replaces an entry of its name and URL; all else stays as it is, comments
 * too.
 *
 * @throws {ConfigurationError} if the text is not as the client has it, or another server has the name
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
    `${client.title} has another server called ${quoteVisible(name)}: choose another "--name", or remove that one`,
  );
}

/**
 * Removes a server from the text of a configuration, and the member of the servers if nothing is left in it. A text that
 * says nothing any more becomes empty.
 *
 * @throws {ConfigurationError} if the text is not as the client has it
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
 * Finds the name that "add" gave to a server, if neither name nor URL is given.
 *
 * @throws {ConfigurationError} if it may have called several so, or the text is not as the client has it
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
    `${client.title} has ${named.map(quoteVisible).join(' and ')}: give the URL of one of them, or its "--name"`,
  );
}

/** Clients read comments and commas at the end, or at least leave them alone. */
function parseConfiguration(text: string, { member, title }: ServerLocation['client']): Node {
  const errors: ParseError[] = [];
  const root = text.length > LONGEST_FILE ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new ConfigurationError(`The file is not JSON, see its line ${line}: mend it first`);
  }
  const servers = root?.type === 'object' ? findNodeAtLocation(root, [member]) : undefined;
  if (root?.type === 'object' && (servers === undefined || servers.type === 'object')) {
    assertOnce(root, [member]);
    assertOnce(servers);
    return root;
  }
  throw new ConfigurationError(
    `The file must be an object as ${title} writes it, with its servers in "${member}"`,
  );
}

/**
 * Of a member that comes twice clients read the last one, or refuse the file.
 *
 * @param names those that matter @default all
 */
function assertOnce(object: Node | undefined, names?: readonly string[]): void {
  const seen = new Set<unknown>();
  for (const { children: [key] = [] } of object?.children ?? []) {
    const name: unknown = key?.value;
    if (seen.has(name) && names?.includes(String(name)) !== false) {
      throw new ConfigurationError(`The file has ${quoteVisible(String(name))} twice: join both first`);
    }
    seen.add(name);
  }
}

/** Compares as JSON, because one of them has no prototype. */
function isSame(one: unknown, other: Entry): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** Entries name the URL of their server in a member, or in an argument of a program that calls it. */
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
