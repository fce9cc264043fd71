import { makeLine } from '../visible-text.js';

/** The progress of a call (MCP basic/utilities/progress). */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const BAR = 24;

/** Draws a progress bar that fits on a line, or a number if the total is unknown. */
export function formatProgressBar(call: CallProgress, columns: number): string {
  const share = findShare(call);
  const message = makeLine(call.message ?? '');
  const head = share === undefined ? `... ${formatCount(call)}` : drawBar(share, formatCount(call));
  const line = message === '' ? head : `${head}  ${message}`;
  // A cursor in the last column would start another line.
  return [...line].slice(0, Math.max(0, columns - 1)).join('');
}

/** Formats progress as a line, if a line cannot be updated in place. */
export function formatProgressLine(call: CallProgress): string {
  const message = makeLine(call.message ?? '');
  return `progress ${formatCount(call)}${message === '' ? '' : `: ${message}`}`;
}

function drawBar(share: number, count: string): string {
  const done = Math.round(share * BAR);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR - done)}] ${percent} %  ${count}`;
}

/** The progress may exceed the total, and the total may be missing. */
function findShare({ progress, total }: CallProgress): number | undefined {
  if (total === undefined || !(total > 0)) return undefined;
  return Math.min(1, Math.max(0, progress / total));
}

function formatCount({ progress, total }: CallProgress): string {
  return total === undefined ? formatNumber(progress) : `${formatNumber(progress)}/${formatNumber(total)}`;
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}
