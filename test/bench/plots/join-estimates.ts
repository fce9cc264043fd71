import type { Estimate, RowOutput } from '../bench-output.js';
import { findMedianInterval, median } from '../statistics.js';

/** Puts what several runs came to together: the middle one of them, and all that their intervals cover. */
export function joinEstimates(estimates: Estimate[]): Estimate | undefined {
  if (estimates.length === 0) return undefined;
  return {
    median: median(estimates.map((estimate) => estimate.median)),
    lower: Math.min(...estimates.map(({ lower }) => lower)),
    upper: Math.max(...estimates.map(({ upper }) => upper)),
  };
}

/** Gives what a row costs, in the unit of its workload; nothing where it was not measured. */
export function estimateCost({ cost, costSlices = [] }: RowOutput): Estimate | undefined {
  return cost === undefined ? undefined : { median: cost, ...findMedianInterval(costSlices) };
}
