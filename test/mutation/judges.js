/**
 * The specs of folders whose promises are mostly kept towards clients: what judges changes of them besides their unit specs, below
 * `test`.
 */
export const JUDGES = {
  'server/cluster': ['e2e/cluster/{answers,ends,losses,outages,told-together,without-engine}.spec.ts'],
  'server/sessions/shared': [
    'e2e/cluster/{answered-changes,ends,log-out-everywhere,losses,newest-settings,subscription-bounds,taking-up,without-engine}.spec.ts',
  ],
  'server/memory': ['e2e/memory/**/*.spec.ts'],
  'server/audit': ['e2e/audit/**/*.spec.ts'],
  'server/limits': ['e2e/limits/**/*.spec.ts'],
  'server/extensions/skills': ['e2e/extensions/skills/**/*.spec.ts'],
  'server/extensions/apps': ['e2e/extensions/apps/**/*.spec.ts'],
  'server/shutdown': ['e2e/module/draining.spec.ts'],
};
