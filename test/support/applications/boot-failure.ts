import { bootApp, type AppOptions } from './boot.js';

/**
 * Gives the error with which an application fails to start.
 *
 * @throws Error where it starts after all; it is closed then
 */
export async function bootFailure(options: AppOptions): Promise<Error> {
  const outcome = await bootApp(options).catch((error: Error) => error);
  if (outcome instanceof Error) return outcome;
  await outcome.close();
  throw new Error('The application started though it should not');
}
