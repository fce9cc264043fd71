import { GRACE_MS, type ScriptProcess } from './script-process.js';

/** All that a key or a window sends to end a process; `SIGBREAK` is that of Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/** One press of Ctrl-C arrives twice if the parent of this process passes it on. */
const SAME_PRESS_MS = 500;

/** The listener for the end of the script. */
export interface StopHearer {
  readonly tell: (line: string) => void;
  readonly onStop: () => void;
}

/**
 * Has a script ended by what is to end this process: the first signal asks it to, the second one kills it. Returns a
 * function that ends this.
 */
export function stopOnSignals(
  script: Pick<ScriptProcess, 'stop' | 'kill'>,
  { tell, onStop }: StopHearer,
): () => void {
  let stoppedAt: number | undefined;
  let late: NodeJS.Timeout | undefined;
  const take = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppedAt !== undefined) return now - stoppedAt < SAME_PRESS_MS ? undefined : script.kill();
    stoppedAt = now;
    onStop();
    // Nobody who presses Ctrl-\\ here wants a dump of the application.
    script.stop(signal === 'SIGQUIT' || signal === 'SIGBREAK' ? 'SIGTERM' : signal);
    const isAttended = signal === 'SIGINT' && process.stdin.isTTY;
    if (isAttended) tell('Ending the application; Ctrl-C again kills it');
    // Nobody is there to ask for it again.
    else late = setTimeout(() => script.kill(), GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return () => {
    clearTimeout(late);
    for (const signal of SIGNALS) process.off(signal, take);
  };
}
