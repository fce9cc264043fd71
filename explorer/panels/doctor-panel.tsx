import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';
import type { LintFinding, LintReport } from '../../lib/core/lint/lint-catalog.js';
import { formatCommand } from '../commands.js';
import type { Connection } from '../connection/connection.js';
import { checkConnection } from '../examination/check-connection.js';
import { readAccess, readFacts } from '../facts.js';
import { CodeToCopy } from '../parts/code-to-copy.js';
import { formatCount } from '../parts/format-amount.js';
import type { PanelProps } from './panel.js';
import { LintFindings } from './lint-findings.js';
import { OutcomeLine } from './outcome-line.js';
import { useRequest } from './use-request.js';

/** The order of findings, most severe first. */
const ORDER: readonly FindingStatus[] = ['error', 'warning', 'skipped', 'ok'];

interface FindingListProps {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** The checks' findings, with the CLI's messages. */
function FindingList({ id, title, findings }: FindingListProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul class="findings">
        {ORDER.flatMap((status) => findings.filter((one) => one.status === status)).map((finding) => (
          <li key={finding.id} class={finding.status}>
            <strong class="sign">{finding.status}</strong> <code>{finding.id}</code> {finding.found}
            {finding.fix !== '' && <p class="fix">{finding.fix}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The number of findings with each status, most severe first. */
function FindingSummary({ statuses }: { readonly statuses: readonly FindingStatus[] }) {
  const counts = ORDER.map((status) => [status, statuses.filter((one) => one === status).length] as const);
  return (
    <p role="status" class="summary" aria-label="Summary">
      {counts
        .filter(([, count]) => count > 0)
        .map(([status, count]) => (
          <span key={status} class={`sign ${status}`}>
            {status === 'error' || status === 'warning' ? formatCount(count, status) : `${count} ${status}`}
          </span>
        ))}
    </p>
  );
}

/** Doctor and lint findings that a browser can determine. */
export function DoctorPanel({ connection }: PanelProps) {
  const request = useRequest<Examination>(connection);
  const { outcome } = request;
  const { endpoint, server } = connection;
  const target = { url: endpoint.href, name: server?.name ?? '', access: readAccess() };
  return (
    <section aria-labelledby="doctor">
      <h2 id="doctor">Doctor</h2>
      <p class="hint">Checks the server from the view of clients, and the catalog from the view of models.</p>
      <p class="buttons">
        <button
          type="button"
          class="main"
          disabled={outcome.state === 'running'}
          onClick={() => void request.send((signal) => examine(connection, signal))}
        >
          Examine the server
        </button>
      </p>
      <OutcomeLine outcome={outcome} />
      {outcome.state === 'done' && (
        <>
          <FindingSummary statuses={listStatuses(outcome.result)} />
          <div class="reports">
            <div>
              <FindingList id="of-server" title="The server" findings={outcome.result.ofServer} />
              <FindingList
                id="of-connection"
                title="The connection of this page"
                findings={outcome.result.ofConnection}
              />
            </div>
            {outcome.result.report && <LintFindings report={outcome.result.report} />}
          </div>
        </>
      )}
      <h3>Outside a browser</h3>
      <p class="prose">
        A browser cannot claim to be another page or to come from another host, and hides how connections are
        made. The command-line doctor also checks foreign origins and hosts, CORS, certificates and the
        contents of skills:
      </p>
      <CodeToCopy text={formatCommand('doctor', target)} label="Copy the doctor command" />
      <p class="prose">The checks of the catalog, with custom rules:</p>
      <CodeToCopy text={formatCommand('lint', target)} label="Copy the lint command" />
    </section>
  );
}

/** Each request's timeout, in milliseconds, as in the CLI. */
const LONGEST_ANSWER_MS = 10_000;

interface Examination {
  readonly ofServer: readonly Finding[];
  readonly ofConnection: readonly Finding[];
  /** Absent without a connection, because the lists are empty then. */
  readonly report: LintReport | undefined;
}

/** The doctor status for each linter severity; advice has none. */
const STATUSES: Readonly<Record<LintFinding['severity'], FindingStatus | undefined>> = {
  error: 'error',
  warning: 'warning',
  advice: undefined,
};

function listStatuses({ ofServer, ofConnection, report }: Examination): readonly FindingStatus[] {
  const ofCatalog = report?.findings.flatMap(({ severity }) => STATUSES[severity] ?? []) ?? [];
  return [...[...ofServer, ...ofConnection].map(({ status }) => status), ...ofCatalog];
}

async function examine(connection: Connection, signal: AbortSignal): Promise<Examination> {
  const { client, endpoint, login } = connection;
  const { issuers, version } = readFacts();
  // Most visitors never open it, and the page starts sooner without its code.
  const [{ examineServer }, { lintCatalog }] = await Promise.all([
    import('../examination/examine-server.js'),
    import('../../lib/core/lint/lint-catalog.js'),
  ]);
  const surroundings = { endpoint, issuers, login, timeoutMs: LONGEST_ANSWER_MS };
  const { templates: resourceTemplates, tools, prompts, resources } = connection.offer;
  const instructions = client?.getInstructions();
  return {
    ofServer: await examineServer(surroundings, version, signal),
    ofConnection: checkConnection(connection),
    report: client && lintCatalog({ instructions, tools, prompts, resources, resourceTemplates }),
  };
}
