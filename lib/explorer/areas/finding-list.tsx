import type { Finding, FindingStatus } from '../../core/doctor/finding.js';

const SAYS: Readonly<Record<FindingStatus, string>> = {
  ok: 'well',
  warning: 'warning',
  fault: 'fault',
  skipped: 'skipped',
};

/** The worst comes first. */
const ORDER: readonly FindingStatus[] = ['fault', 'warning', 'skipped', 'ok'];

export interface FindingListProps {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** What checks found. */
export function FindingList({ id, title, findings }: FindingListProps) {
  const counts = ORDER.map(
    (status) => `${SAYS[status]}: ${findings.filter((one) => one.status === status).length}`,
  );
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p>{counts.join(', ')}</p>
      <ul class="findings">
        {ORDER.flatMap((status) => findings.filter((one) => one.status === status)).map((finding) => (
          <li key={finding.id} class={finding.status}>
            <strong>{SAYS[finding.status]}</strong> <code>{finding.id}</code> {finding.found}
            {finding.remedy !== '' && <p>{finding.remedy}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
