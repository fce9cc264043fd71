import { describe, expect, it } from '@jest/globals';
import { LOG_LEVELS, buildLogEntry, isAtLeast, isLogLevel } from '../../../../lib/core/protocol/log-level.js';

describe('Log levels (MCP server/utilities/logging)', () => {
  it('are the eight severities of syslog, least severe first (NOTE-05)', () => {
    expect(LOG_LEVELS.join(' ')).toBe('debug info notice warning error critical alert emergency');
  });

  it('are told from every other value (NOTE-05)', () => {
    expect(LOG_LEVELS.every(isLogLevel)).toBe(true);
    for (const value of ['Debug', 'warn', 'trace', '', 'constructor', 3, null, undefined, ['info']]) {
      expect(isLogLevel(value)).toBe(false);
    }
  });

  it('reach every client that asked for them or for less (NOTE-05)', () => {
    LOG_LEVELS.forEach((level, severity) => {
      const reached = LOG_LEVELS.filter((minimum) => isAtLeast(level, minimum));
      expect(reached).toEqual(LOG_LEVELS.slice(0, severity + 1));
    });
  });

  it('stand in entries that always have data (NOTE-05)', () => {
    expect(buildLogEntry('info', { a: 1 }, 'desk')).toEqual({
      level: 'info',
      logger: 'desk',
      data: { a: 1 },
    });
    expect(buildLogEntry('info', 0)).toEqual({ level: 'info', data: 0 });
    expect(buildLogEntry('info', undefined)).toEqual({ level: 'info', data: null });
  });
});
