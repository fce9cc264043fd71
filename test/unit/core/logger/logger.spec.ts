import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger as NestLogger, type LoggerService } from '@nestjs/common';
import { Logger } from '../../../../lib/core/logger/logger.js';
import { CapturedLog } from '../../support/captured-log.js';

describe('Logger', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });

  afterEach(() => {
    process.off('unhandledRejection', note);
    NestLogger.overrideLogger(['fatal']);
  });

  it('writes lines as they are, with their context (OPS-06)', () => {
    const log = CapturedLog.begin();
    new Logger('Desk').error('closed', 'a stack');
    expect(log.errors).toEqual(['closed\na stack\nDesk']);
  });

  it('leaves out the credentials of URLs, also in stacks (OPS-07)', () => {
    const log = CapturedLog.begin();
    new Logger('Desk').error('lost redis://:hunter2@cache', 'Error: https://x/?sig=hunter2\n    at a.js');
    expect(log.errors).toEqual([
      'lost redis://REDACTED@cache\nError: https://x/?sig=REDACTED\n    at a.js\nDesk',
    ]);
  });

  it('goes on if the application has a logger that throws, rejects or lacks levels (OPS-06)', async () => {
    const fail = (): never => {
      throw new Error('full');
    };
    const services: readonly LoggerService[] = [
      { log: fail, error: fail, warn: fail, debug: fail },
      { log: async () => fail(), error: async () => fail(), warn: async () => fail() },
    ];
    for (const service of services) {
      NestLogger.overrideLogger(service);
      const logger = new Logger('Desk');
      for (const level of ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'] as const)
        logger[level]('line');
    }
    // A rejection that nobody hears of ends a process in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    const log = CapturedLog.begin();
    new Logger('Desk').warn('again');
    expect(log.warnings).toEqual(['again\nDesk']);
  });

  it('is silent if there is no logger (OPS-06)', () => {
    NestLogger.overrideLogger(false);
    expect(() => new Logger('Desk').error('closed')).not.toThrow();
  });
});
