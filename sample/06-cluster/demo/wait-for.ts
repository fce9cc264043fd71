import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 10;

/** Waits until something is so. */
export async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(LOOK_MS);
}
