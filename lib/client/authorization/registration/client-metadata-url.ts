const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * Refuses a URL that cannot be a client's id: authorization servers compare ids as they are written, and look only at
 * documents that say the same of themselves.
 *
 * @throws {TypeError} if it is not `https`, has no path, or can be written in another way
 * @see OAuth Client ID Metadata Document §3
 */
export function assertClientMetadataUrl(url: string): void {
  if (isClientMetadataUrl(url)) return;
  throw new TypeError(
    'The "clientMetadataUrl" must be an "https:" URL with a path, such as "https://app.example.com/client.json", and the "client_id" of the document there',
  );
}

function isClientMetadataUrl(url: string): boolean {
  if (!URL.canParse(url) || DOT_SEGMENT.test(url)) return false;
  const { protocol, pathname, username, password, href } = new URL(url);
  const hasPath = pathname !== '/' && username + password === '';
  return protocol === 'https:' && hasPath && !url.includes('#') && href === url;
}
