/** The name of a server without a better one. */
export const ANY_NAME = 'server';

/** Turns any string into a server name that every client accepts and no shell changes. The names of its variables and prompts begin with it. */
export function nameServer(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? ANY_NAME : name;
}
