import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameServer } from '../../lib/core/clients/server-name.js';

/** Proposes what a client calls a server: as its project is called, else as its host. Returns `undefined` if neither is known. */
export function proposeName(folder: string, url: string | undefined): string | undefined {
  const name = readPackageName(folder) ?? findHost(url);
  return name === undefined ? undefined : nameServer(name);
}

/** Tells whether a server has the name of its host, as one does that no project has named. */
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

/** Clients differ in where they write the URL; what starts a bridge has it among its arguments. */
function listTexts(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  return Object.values(entry)
    .flat()
    .filter((value): value is string => typeof value === 'string');
}
