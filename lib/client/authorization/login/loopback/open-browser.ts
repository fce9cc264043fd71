import { spawn } from 'node:child_process';
import { BrowserUnavailableError } from '../../errors.js';

/** The facts that determine how to open a browser. */
export interface DesktopFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
}

/** A program with its arguments before the URL. */
interface Opener {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Opens a URL in the user's browser.
 *
 * @example
 * await openBrowser('https://login.example.com/device');
 *
 * @throws {BrowserUnavailableError} if there is none, such as on a machine without a screen
 */
export async function openBrowser(url: string, facts: DesktopFacts = describeProcess()): Promise<void> {
  const opener = findOpener(facts);
  if (opener === undefined) throw new BrowserUnavailableError();
  const { command, args } = opener;
  // Do not start a shell, because the authorization server controls part of the URL.
  const child = spawn(command, [...args, url], {
    stdio: 'ignore',
    detached: true,
    env: facts.environment,
  });
  child.unref();
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new BrowserUnavailableError({ cause })));
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new BrowserUnavailableError());
    });
  });
}

function findOpener({ platform, environment }: DesktopFacts): Opener | undefined {
  // "start" would work, but it is a shell command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  if (platform === 'darwin') return { command: 'open', args: [] };
  const { DISPLAY, WAYLAND_DISPLAY, BROWSER, WSL_DISTRO_NAME } = environment;
  // Without a display, it might invisibly start a terminal browser.
  const hasScreen = [DISPLAY, WAYLAND_DISPLAY, BROWSER, WSL_DISTRO_NAME].some((value) => Boolean(value));
  return hasScreen ? { command: 'xdg-open', args: [] } : undefined;
}

function describeProcess(): DesktopFacts {
  return { platform: process.platform, environment: process.env };
}
