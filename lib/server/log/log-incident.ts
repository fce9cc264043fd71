import { randomBytes } from 'node:crypto';
import type { Logger } from '@nestjs/common';
import type { LogSubject } from './format-line.js';
import { logFailure } from './log-failure.js';

/** Tells the log what went wrong with a request; gives what its caller is told instead, by which the line is found. */
export function logIncident(logger: Pick<Logger, 'error'>, failure: unknown, subject: LogSubject): string {
  const incident = randomBytes(6).toString('hex');
  logFailure(logger, `Incident ${incident}`, { failure, subject });
  return incident;
}
