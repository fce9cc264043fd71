import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A request to the desk, and how it was answered. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  readonly hasToken: boolean;
}

/** Notes what a server answers, as it goes over the wire. */
export class EndpointLog {
  readonly requests: LoggedRequest[] = [];

  constructor(server: Server) {
    // An application can change the path of a request that it takes.
    server.prependListener('request', ({ method = '', url = '', headers }: IncomingMessage, response) => {
      response.once('finish', () => this.#note({ method, url, headers }, response));
    });
  }

  /** Gives the answers of one status, in order. */
  of(status: number): LoggedRequest[] {
    return this.requests.filter((request) => request.status === status);
  }

  #note(
    {
      method,
      url,
      headers,
    }: Pick<IncomingMessage, 'headers'> & { readonly method: string; readonly url: string },
    response: ServerResponse,
  ): void {
    const challenge = response.getHeader('www-authenticate');
    this.requests.push({
      method,
      path: url,
      status: response.statusCode,
      challenge: challenge === undefined ? undefined : String(challenge),
      hasToken: headers.authorization !== undefined,
    });
  }
}
