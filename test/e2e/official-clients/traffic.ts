/** One HTTP exchange of a client. */
export interface Exchange {
  readonly httpMethod: string;
  /** The JSON-RPC method of the body, where it has one. */
  readonly method?: string;
  readonly headers: Headers;
  readonly status: number;
}

/** Watches what a client sends: give `fetch` to its transport. */
export class Traffic {
  readonly exchanges: Exchange[] = [];

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, init);
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as { method?: string }) : {};
    this.exchanges.push({
      httpMethod: init.method ?? 'GET',
      headers: new Headers(init.headers),
      status: response.status,
      ...(body.method !== undefined && { method: body.method }),
    });
    return response;
  };

  /** Counts the requests of a JSON-RPC method. */
  count(method: string): number {
    return this.exchanges.filter((exchange) => exchange.method === method).length;
  }

  /** Whether the standing stream is open. */
  get hasStandingStream(): boolean {
    return this.exchanges.some(({ httpMethod, status }) => httpMethod === 'GET' && status === 200);
  }
}
