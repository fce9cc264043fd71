import { type Check, judgePlainHttp, ok } from '../../lib/core/doctor/finding.js';
import { listChecks } from '../../lib/core/doctor/list-checks.js';

/** Pages cannot read certificates, which the browser has validated. */
const TLS_CHECK: Check = {
  id: 'tls',
  run: async (target) =>
    target.url.protocol === 'http:' ? judgePlainHttp(target) : ok('The browser accepts the certificate'),
};

/** The doctor checks that a page can run. */
export const PAGE_CHECKS: readonly Check[] = listChecks({ connection: [TLS_CHECK] });
