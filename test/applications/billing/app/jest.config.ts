import type { Config } from 'jest';

const config: Config = {
  projects: [
    {
      displayName: 'unit',
      preset: 'ts-jest',
      testMatch: ['<rootDir>/src/**/*.spec.ts'],
    },
    {
      displayName: 'e2e',
      transform: { '^.+\\.tsx?$': ['ts-jest', { diagnostics: false }] },
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
    },
  ],
  testTimeout: 120_000,
};

export default config;
