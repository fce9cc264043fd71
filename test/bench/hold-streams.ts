import { StreamHolder, type StreamTarget } from './stream-holder.js';
import type { StreamAnswer, StreamOrder } from './stream-process.js';

// The program of the process that holds a server's streams: carries out one order after the other.

const holder = new StreamHolder(JSON.parse(process.argv[2] ?? '') as StreamTarget);

process.on('message', (order: StreamOrder) => {
  carryOut(order).then(
    (announced) => reply({ announced }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function carryOut({ name, count }: StreamOrder): Promise<StreamAnswer['announced']> {
  if (name === 'open') await holder.open(count);
  if (name === 'connect') await holder.connect();
  return name === 'announce' ? holder.announce(count) : undefined;
}

function reply(answer: StreamAnswer): void {
  process.send?.(answer);
}
