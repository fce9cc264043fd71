import { request } from 'node:https';
import { Readable } from 'node:stream';
import { SELF_SIGNED } from '../self-signed.js';

/** A `fetch` that trusts the certificate of {@link SELF_SIGNED}, by a connection of its own for each call. */
export const fetchTrusting: typeof fetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    const { method = 'GET', body, signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const call = request(
      input instanceof Request ? input.url : String(input),
      { method, headers, ca: SELF_SIGNED.cert, agent: false, ...(signal && { signal }) },
      (answer) => {
        const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
        resolve(new Response(stream, { status: answer.statusCode ?? 0, headers: given }));
      },
    );
    call.on('error', reject);
    call.end(typeof body === 'string' ? body : undefined);
  });
