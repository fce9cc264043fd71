import { describe, expect, it } from '@jest/globals';
import {
  DEVELOPMENT_VARIABLE,
  formatDevConnection,
} from '../../../../lib/core/development/dev-connection.js';
import { withDevelopmentDefaults } from '../../../../lib/server/development/development-defaults.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';

const environment = {
  [DEVELOPMENT_VARIABLE]: formatDevConnection({ path: import.meta.filename, secret: 's'.repeat(43) }),
};
const options = { serverInfo: { name: 'desk', version: '1.0.0' } };

describe('withDevelopmentDefaults()', () => {
  it('leaves options as they are without "nestjs-mcp-cli dev"', () => {
    expect(withDevelopmentDefaults(options, {})).toBe(options);
  });

  it('leaves options as they are in production', () => {
    expect(withDevelopmentDefaults(options, { ...environment, NODE_ENV: 'production' })).toBe(options);
  });

  it('leaves options as they are if the variable is left from a terminal that has gone', () => {
    const left = formatDevConnection({ path: `${import.meta.filename}-gone`, secret: 's'.repeat(43) });
    expect(withDevelopmentDefaults(options, { [DEVELOPMENT_VARIABLE]: left })).toBe(options);
  });

  it('lets sessions go on in the next process', () => {
    const { sessions, secret } = withDevelopmentDefaults(options, environment);
    expect(sessions).toEqual({ recover: true });
    expect(secret).toBe(withDevelopmentDefaults(options, environment).secret);
  });

  it('lets what the application says count', () => {
    const said = {
      ...options,
      secret: 'x'.repeat(32),
      sessions: { recover: false },
      capabilities: { prompts: false },
    };
    expect(withDevelopmentDefaults(said, environment)).toEqual({
      ...said,
      capabilities: { tools: true, prompts: false, resources: true },
    });
  });

  it('adds nothing about sessions if there are none', () => {
    const stateless = { ...options, stateless: true } as const;
    expect(withDevelopmentDefaults(stateless, environment)).toEqual({
      ...stateless,
      capabilities: { tools: true, prompts: true, resources: true },
    });
  });

  it('adds nothing if several processes share sessions', () => {
    const shared = {
      ...options,
      cluster: { type: 'redis', url: 'redis://127.0.0.1:6379' },
    } as unknown as McpOptions;
    expect(withDevelopmentDefaults(shared, environment)).toBe(shared);
  });
});
