/**
 * Does something without ever sleeping in between. To wake a process that sleeps is counted to the server that writes to it, up to a
 * fifth of the time for a call, and a client sleeps only where the server is slower than it is: what the client does would
 * make a difference between servers.
 */
export async function stayAwake<Value>(act: () => Promise<Value>): Promise<Value> {
  let isOver = false;
  const turn = (): void => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  try {
    return await act();
  } finally {
    isOver = true;
  }
}
