import { Logger, type Type } from '@nestjs/common';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { bootCatalog } from './boot-catalog.js';

/** Starts an application, ends it, and gives its warnings. Whoever uses it takes the logger away again. */
export async function recordWarnings(
  parts: { readonly providers: Type[] } | { readonly controllers: Type[] },
): Promise<readonly string[]> {
  const log = new RecordedLog();
  // Before that, an application that is created without a logger silences all.
  const { app } = await bootCatalog({ ...parts, configure: () => Logger.overrideLogger(log) });
  await app.close();
  return log.find('warn');
}
