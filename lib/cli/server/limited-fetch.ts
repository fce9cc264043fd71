import { ProbeError } from '../../core/doctor/probe/probe.error.js';

/**
 * Creates a `fetch` whose answers end in an error if they are too long together.
 *
 * @param end is told too, because otherwise a reader of an event stream would wait forever
 */
export function createLimitedFetch(
  send: typeof fetch,
  longestBytes: number,
  end: (error: Error) => void,
): typeof fetch {
  let length = 0;
  const createLimit = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length <= longestBytes) return controller.enqueue(chunk);
        const error = new ProbeError(`sends more than ${longestBytes / 1024 / 1024} MB`);
        end(error);
        controller.error(error);
      },
    });
  return async (input, init) => {
    const response = await send(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(createLimit()), { status, statusText, headers });
  };
}
