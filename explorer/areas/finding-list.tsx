import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';
import { formatCount } from '../parts/format-amount.js';

/** The worst comes first. */
const ORDER: readonly FindingStatus[] = ['fault', 'warning', 'skipped', 'ok'];

export interface FindingListProps {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** What checks found, in the words of the command line. */
export function FindingList({ id, title, findings }: FindingListProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul class="findings">
        {ORDER.flatMap((status) => findings.filter((one) => one.status === status)).map((finding) => (
          <li key={finding.id} class={finding.status}>
            <strong class="sign">{finding.status}</strong> <code>{finding.id}</code> {finding.found}
            {finding.remedy !== '' && <p class="remedy">{finding.remedy}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says at the top how many findings of each status there are; what needs nobody comes last. */
export function FindingSummary({ statuses }: { readonly statuses: readonly FindingStatus[] }) {
  const counts = ORDER.map((status) => [status, statuses.filter((one) => one === status).length] as const);
  return (
    <p role="status" class="summary" aria-label="Summary">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <span key={status} class={`sign ${status}`}>
            {status === 'fault' || status === 'warning' ? formatCount(count, status) : `${count} ${status}`}
          </span>
        ))}
    </p>
  );
}
