import { type Check, judgePlainHttp, ok } from '../../lib/core/doctor/finding.js';
import { listChecks } from '../../lib/core/doctor/list-checks.js';

/** A certificate is shown to nobody: the browser has taken it. */
const TLS_CHECK: Check = {
  id: 'tls',
  run: async (target) =>
    target.url.protocol === 'http:' ? judgePlainHttp(target) : ok('The browser takes the certificate'),
};

/** The checks of the doctor that a page can make. */
export const PAGE_CHECKS: readonly Check[] = listChecks({ connection: [TLS_CHECK] });
