import { findQuantile, median, sortNumbers } from '../../../bench/statistics.js';
import { formatMegabytes, type Criterion } from '../../../soak/verdict.js';
import type { ClusterPlan } from './options.js';
import type { Outcome, Usage } from './simulation.js';

/** Formats what a simulation has shown, a line for each. */
export function formatOutcome(outcome: Outcome, plan: ClusterPlan): string[] {
  const { opened, takenUp, processes, ofSession, ofStream, bus, redis, takeOvers } = outcome;
  return [
    `opened: ${plan.sessions} sessions in ${opened.seconds.toFixed(1)} s`,
    `taken up: ${takenUp.latencies.length} times in ${takenUp.seconds.toFixed(1)} s, ${formatTimes(takenUp.latencies)} under that load`,
    ...processes.map(
      ({ sessions, heapBytes, rssBytes }, index) =>
        `process ${index + 1}: ${sessions} sessions, heap ${formatMegabytes(heapBytes)}, RSS ${formatMegabytes(rssBytes)}`,
    ),
    `a session: ${formatUsage(ofSession)}`,
    `a stream: ${formatUsage(ofStream)}`,
    `a message: ${bus.calls.map(([name, count]) => `${name} ${count.toFixed(2)}`).join(', ')}; ${bus.bytesIn.toFixed(0)} bytes to Redis, ${bus.bytesOut.toFixed(0)} from it`,
    `Redis: ${redis.map(({ keys, bytes }) => `${keys} keys, ${formatMegabytes(bytes)}`).join(' with the streams, ')} at the end`,
    ...takeOvers.flatMap(({ reopened, heard, listening, calls, repeated }, index) => [
      `killed ${index + 1}: ${reopened.length} standing streams open elsewhere after ${formatTimes(reopened)}, with a message after ${formatTimes(heard)}`,
      `          ${listening.length} others listen again after ${formatTimes(listening)}`,
      `          ${calls.length} calls took ${formatTimes(calls)}, ${repeated} were made again`,
    ]),
  ];
}

/** Says for each promise whether it was kept. */
export function judgeOutcome({ takenUp, takeOvers, told, heard, faults }: Outcome): Criterion[] {
  const taken = takeOvers.reduce((sum, { reopened }) => sum + reopened.length, 0);
  return [
    {
      holds: takenUp.failures.length === 0,
      text: `every session goes on by its id: ${takenUp.failures.length} did not ${takenUp.failures[0] ?? ''}`,
    },
    {
      holds: faults.length === 0 && heard > 0,
      text: `no message is lost, twice or out of order, and no call fails that is made again: ${told} numbers, heard ${heard} times${faults.map((fault) => `\n      ${fault}`).join('')}`,
    },
    {
      holds: takeOvers.length === 0 || taken > 0,
      text: `streams of processes that were killed are taken over: ${taken}`,
    },
  ];
}

/** In each process it is a little different: the middle says what it is. */
function formatUsage(usages: readonly Usage[]): string {
  const [heap, rss] = [usages.map(({ heapBytes }) => heapBytes), usages.map(({ rssBytes }) => rssBytes)];
  return `heap ${formatKilobytes(median(heap ?? []))}, RSS ${formatKilobytes(median(rss ?? []))}`;
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

function formatTimes(times: readonly number[]): string {
  if (times.length === 0) return 'no time';
  const sorted = sortNumbers(times);
  const [half, most, all] = [0.5, 0.99, 1].map((share) => findQuantile(sorted, share).toFixed(0));
  return `${half} ms (p50), ${most} ms (p99), ${all} ms (all)`;
}
