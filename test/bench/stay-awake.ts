/**
 * Does something without ever sleeping in between. To wake a process that sleeps costs the server that writes to it nearly as much
 * as a whole answer of a fast server, and the faster a server is, the less its clients sleep: what clients do would be counted
 * to some servers and not to others.
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
