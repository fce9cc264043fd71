/** Places values on an axis of the page. */
export interface Scale {
  /** Gives the coordinate of a value. */
  place(value: number): number;
  /** The values that are written at the axis. */
  ticks: number[];
}

/** Where an axis begins and ends on the page. */
export interface Span {
  from: number;
  to: number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Builds an axis that begins at zero, so that lengths can be compared, and ends with the largest value. */
export function buildLinearScale(largest: number, { from, to }: Span, mostTicks = 7): Scale {
  const step = findStep(largest / mostTicks);
  const count = Math.floor(largest / step + 1e-9) + 1;
  return {
    place: (value) => from + (value / largest) * (to - from),
    ticks: Array.from({ length: count }, (_, index) => index * step),
  };
}

function findStep(atLeast: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(atLeast));
  const factor = STEPS.find((candidate) => candidate * magnitude >= atLeast * (1 - 1e-9)) ?? 10;
  return factor * magnitude;
}
