import { show } from './terminal.js';

/** Fetches, and tells what passes between the client and those who decide about it. */
export async function narratedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { origin, pathname } = new URL(url);
  const challenge = response.headers.get('www-authenticate');
  if (pathname === '/mcp' && challenge === null) return response;
  show(`${init?.method ?? 'GET'} ${response.status}`, `${origin}${pathname}`);
  if (challenge !== null) show('', challenge);
  return response;
}
