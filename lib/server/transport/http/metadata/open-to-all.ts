import type { ServerResponse } from 'node:http';

/**
 * Lets pages of every origin read a response, whatever the application's own CORS has set. Who may read it does not
 * depend on who asks, so no credentials are wanted.
 */
export function openToAll(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Credentials');
  response.setHeader('Access-Control-Allow-Origin', '*');
}
