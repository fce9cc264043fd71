/**
 * Reads where the site is going to be from `SITE_URL`, such as `https://docs.example.com/nestjs-mcp/`.
 *
 * @returns the origin, if it is known, and the path below which all pages are
 */
export function readSiteAddress({ SITE_URL = '' }) {
  if (SITE_URL === '') return { origin: undefined, base: '/' };
  const { origin, protocol, pathname, search, hash } = parse(SITE_URL);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') refuse(SITE_URL);
  return { origin, base: pathname.endsWith('/') ? pathname : `${pathname}/` };
}

function parse(text) {
  return URL.canParse(text) ? new URL(text) : refuse(text);
}

function refuse(text) {
  throw new Error(
    `"SITE_URL" must be where the site is, such as "https://docs.example.com/nestjs-mcp/", and not "${text}"`,
  );
}
