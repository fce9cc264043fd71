import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameServer } from '../../lib/core/clients/describe-server.js';

/** Proposes a name for a server: its project's name, or else its host. Returns `undefined` if neither is known. */
export function proposeName(folder: string, url: string | undefined): string | undefined {
  const name = readPackageName(folder) ?? findHost(url);
  return name === undefined ? undefined : nameServer(name);
}

/** Returns whether a server is named after its host, because no project named it. */
export function isNamedByHost(name: string, entry: unknown): boolean {
  return listTexts(entry).some((text) => {
    const host = findHost(text);
    return host !== undefined && nameServer(host) === name;
  });
}

function findHost(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname;
}

function readPackageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The property that contains the URL depends on the client. A bridge has the URL in its arguments. */
function listTexts(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.values(entry)
    .flat()
    .filter((value): value is string => typeof value === 'string');
}
