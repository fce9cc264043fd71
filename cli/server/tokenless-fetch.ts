import { TokenUnsentError } from './token-unsent.error.js';

/** Creates a `fetch` for a server that gets no token, which says so if it wants one. */
export function createTokenlessFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status === 401) throw new TokenUnsentError();
    return response;
  };
}
