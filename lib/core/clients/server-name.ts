/** What a server is called that nobody has named, if nothing tells more of it. */
export const ANY_NAME = 'server';

/** Names a server as every client accepts it and no shell changes it. The names of its variables and questions begin with this one. */
export function nameServer(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? ANY_NAME : name;
}
