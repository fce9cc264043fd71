import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['{src,test}/**/*.spec.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
  plugins: [swc.vite({ module: { type: 'es6' } })],
});
