/** What a server is called that nobody has named, if nothing tells more of it. */
export const ANY_NAME = 'server';

/** Makes a text a name for a server that every client accepts and no shell changes. The names of its variables and questions begin with this one. */
export function nameServer(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? ANY_NAME : name;
}
