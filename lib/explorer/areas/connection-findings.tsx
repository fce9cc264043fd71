import type { Finding, Status } from '../examination/finding.js';

const SAYS: Readonly<Record<Status, string>> = { ok: 'well', warning: 'warning', fault: 'fault' };

/** What was found of the connection. */
export function ConnectionFindings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <section aria-labelledby="of-connection">
      <h3 id="of-connection">The connection</h3>
      <ul class="findings">
        {findings.map(({ id, status, found, remedy }) => (
          <li key={id} class={status}>
            <strong>{SAYS[status]}</strong> <code>{id}</code> {found}
            {remedy !== '' && <p>{remedy}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
