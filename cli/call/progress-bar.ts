import { makeLine } from '../visible-text.js';

/** How far a call is (MCP basic/utilities/progress). */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const BAR = 24;

/** Draws a progress bar that fits into a line, or a number if the total is unknown. */
export function formatProgressBar(call: CallProgress, columns: number): string {
  const share = findShare(call);
  const message = makeLine(call.message ?? '');
  const head = share === undefined ? `... ${formatCount(call)}` : drawBar(share, formatCount(call));
  const line = message === '' ? head : `${head}  ${message}`;
  // The last column stays free: a cursor in it would begin another line.
  return [...line].slice(0, Math.max(0, columns - 1)).join('');
}

/** Says how far a call is, if no line can change in its place. */
export function formatProgressLine(call: CallProgress): string {
  const message = makeLine(call.message ?? '');
  return `progress ${formatCount(call)}${message === '' ? '' : `: ${message}`}`;
}

function drawBar(share: number, count: string): string {
  const done = Math.round(share * BAR);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR - done)}] ${percent} %  ${count}`;
}

/** A server may count beyond its total, or have none. */
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
