import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { CardRepository } from '../../lib/index.js';

/** Services by how `package.json` may shorten them. */
const HOSTS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

const SHORT = /^(?:(github|gitlab|bitbucket):)?(\w[\w.-]*\/[\w./-]+)$/;
const SSH = /^(?:ssh:\/\/)?git@([^/:]+)[/:](.+)$/;

/**
 * Reads the member `repository` of a `package.json`. Returns `undefined` if it names no place to browse.
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

/** What is told to everybody has no user and no password. */
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
