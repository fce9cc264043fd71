import type { Passenger } from './passenger.js';
import { show } from './terminal.js';
import { waitFor } from './wait-for.js';

const SECONDS = 5;

/** How a crossing came to its end. */
export interface Crossing {
  readonly process: string;
  readonly end: string;
  readonly isError: boolean;
}

/** Begins a long call in each process, since a plain balancer gives each its turn; gives their ends. */
export async function castOff(
  passenger: Passenger,
  count: number,
): Promise<() => Promise<readonly Crossing[]>> {
  const begun: string[] = [];
  const crossings = Array.from({ length: count }, async (): Promise<Crossing> => {
    let process = '';
    const onProgress = (message: string): void => {
      process = message.replace('cast off at ', '');
      begun.push(process);
    };
    try {
      const end = await passenger.call('cross', { seconds: SECONDS }, onProgress);
      return { process, end, isError: false };
    } catch (error) {
      return { process, end: error instanceof Error ? error.message : String(error), isError: true };
    }
  });
  await waitFor(() => begun.length === count);
  show('Bob', `crosses the harbour three times at once: ${begun.toSorted().join(', ')}`);
  return () => Promise.all(crossings);
}
