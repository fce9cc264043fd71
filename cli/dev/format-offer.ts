import {
  OFFER_KINDS,
  type OfferedEndpoint,
  type OfferedEntry,
  type OfferKind,
} from '../../lib/core/development/report.js';
import { makeLine, makeName } from '../visible-text.js';

/** The maximum number of names of one kind. */
const MOST_NAMES = 12;
/** The maximum number of changes. */
const MOST_CHANGES = 30;

const TITLES: Readonly<Record<OfferKind, string>> = {
  tool: 'tools',
  resource: 'resources',
  template: 'templates',
  prompt: 'prompts',
  app: 'apps',
  skill: 'skills',
  event: 'events',
};

const WIDTH = Math.max(...Object.values(TITLES).map(({ length }) => length), 'explorer'.length);

/** Formats a server's endpoint. */
export function formatEndpoint(server: string, endpoint: OfferedEndpoint | undefined): readonly string[] {
  const name = server === 'default' ? '' : ` "${makeName(server)}"`;
  if (endpoint === undefined) return [`Server${name} is not listening`];
  const { ssePath, revisions, needsToken, hasExplorer } = endpoint;
  const url = formatUrl(endpoint, endpoint.path);
  const range = revisions.length > 1 ? `${revisions[0]} to ${revisions.at(-1)}` : (revisions[0] ?? '');
  return [
    `Server${name} at ${url}`,
    row('protocol', makeLine(range)),
    row('auth', needsToken ? 'token required' : 'no token required'),
    ...(ssePath === undefined ? [] : [row('HTTP+SSE', formatUrl(endpoint, ssePath))]),
    ...(hasExplorer && endpoint.port !== undefined ? [row('explorer', `${url} in a browser`)] : []),
  ];
}

/** Formats a path's URL. For a server on all interfaces, the host is localhost. */
export function formatUrl({ host = '', port, isSecure }: OfferedEndpoint, path: string): string {
  if (port === undefined) return makeLine(path);
  const isAnywhere = host === '::' || host === '0.0.0.0' || host === '';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return makeLine(`${isSecure ? 'https' : 'http'}://${name}:${port}${path}`);
}

/** Formats a server's capabilities, with a line for each kind. */
export function formatEntries(entries: readonly OfferedEntry[]): readonly string[] {
  const rows = OFFER_KINDS.flatMap((kind) => {
    const names = entries.filter((entry) => entry.kind === kind).map(({ name }) => makeName(name));
    return names.length === 0 ? [] : [row(TITLES[kind], joinSome(names))];
  });
  return rows.length === 0 ? ['  No capabilities yet'] : rows;
}

/** Formats the changes, if there are any. */
export function formatChanges(
  before: readonly OfferedEntry[],
  now: readonly OfferedEntry[],
): readonly string[] {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const present = new Set(now.map(keyOf));
  const changes = [
    ...now.flatMap((entry) => describeChange(known.get(keyOf(entry)), entry)),
    ...before
      .filter((entry) => !present.has(keyOf(entry)))
      .map((entry) => `  - removed ${describeEntry(entry)}`),
  ];
  const more = changes.length - MOST_CHANGES;
  return more > 0 ? [...changes.slice(0, MOST_CHANGES), `    and ${more} more`] : changes;
}

function describeChange(before: OfferedEntry | undefined, now: OfferedEntry): readonly string[] {
  if (before === undefined) return [`  + added ${describeEntry(now)}`];
  const members = new Set([...Object.keys(before.parts), ...Object.keys(now.parts)]);
  const changed = [...members].filter((member) => before.parts[member] !== now.parts[member]);
  if (changed.length === 0) return [];
  return [`  ~ changed ${describeEntry(now)}: ${makeLine(changed.slice(0, 8).join(', '))}`];
}

function describeEntry({ kind, name }: OfferedEntry): string {
  return `${kind} ${makeName(name)}`;
}

function keyOf({ kind, name }: OfferedEntry): string {
  return `${kind} ${name}`;
}

function joinSome(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function row(title: string, text: string): string {
  return `  ${title.padEnd(WIDTH)}  ${text}`;
}
