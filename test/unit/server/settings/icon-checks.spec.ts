import { describe, expect, it } from '@jest/globals';
import { icons } from '../../../../lib/server/settings/checks/icon-checks.js';

const check = (src: string): void => icons('icons', [{ src }]);

describe('icons (MCP 2025-11-25 basic, "Icons")', () => {
  it.each([
    'https://example.com/icon.png',
    'http://localhost:3000/icon.png',
    'data:image/png;base64,AA==',
    'DATA:image/svg+xml,%3Csvg%3E',
  ])('may be %j (HOST-04)', (src) => {
    expect(() => check(src)).not.toThrow();
  });

  it.each([
    'javascript:alert(1)',
    '/icon.png',
    'http://example.com/icon.png',
    'data:text/html,a',
    'file:///a.png',
  ])('may not be %j, which no client loads (HOST-04)', (src) => {
    expect(() => check(src)).toThrow('must be an "https:" URL, or a "data:" URL of an image');
  });
});
