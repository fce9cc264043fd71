import type { Authorizer } from 'nestjs-mcp/client';

/** Stands for a person at a browser: the suite's authorization servers send everybody back at once. */
export class RedirectedAuthorizer implements Authorizer {
  readonly redirectUri = 'http://127.0.0.1:3000/callback';

  async authorize(url: URL): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The authorization server responded with status ${response.status}`);
    return new URL(location, url);
  }
}
